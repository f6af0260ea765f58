# Functions for local accounts.
function Set-Group([string]$Name) {
    if (-not (Get-LocalGroup -Name $Name -ErrorAction SilentlyContinue)) {
        $null = New-LocalGroup -Name $Name
    }
}

# The built-in administrator has a translated name in some languages of Windows.
function Get-AccountName([string]$Name) {
    if ($Name -eq 'Administrator') {
        $Name = (Get-LocalUser | Where-Object { $_.SID.Value -like 'S-1-5-21-*-500' }).Name
    }
    $Name
}

# Creates the account, or changes the password of an existing one.
function Set-Password([string]$Name, [string]$Password) {
    $secure = ConvertTo-SecureString -String $Password -AsPlainText -Force
    if (Get-LocalUser -Name $Name -ErrorAction SilentlyContinue) {
        Set-LocalUser -Name $Name -Password $secure
        return
    }
    $null = New-LocalUser -Name $Name -Password $secure -AccountNeverExpires -PasswordNeverExpires
}

# Creates an account that can log in only with its keys.
function Set-RandomPassword([string]$Name) {
    if (Get-LocalUser -Name $Name -ErrorAction SilentlyContinue) {
        return
    }
    $bytes = New-Object byte[] 24
    $random = New-Object Security.Cryptography.RNGCryptoServiceProvider
    $random.GetBytes($bytes)
    Set-Password $Name ('aA1!' + [Convert]::ToBase64String($bytes))
}

function Add-Member([string]$Name, [string]$Group) {
    if ($Group -eq 'Administrators') {
        $Group = (Get-LocalGroup -SID 'S-1-5-32-544').Name
    }
    try {
        Add-LocalGroupMember -Group $Group -Member $Name
    }
    catch [Microsoft.PowerShell.Commands.MemberExistsException] {
        Write-Log "$Name is a member of $Group"
    }
}
