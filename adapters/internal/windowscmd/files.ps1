# Functions for files.
#
# They use methods of .NET, which take paths literally; cmdlets would expand wildcards.
function ConvertFrom-Base64Text([string]$Text) {
    [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($Text))
}

function Write-Log([string]$Text) {
    [IO.File]::AppendAllText($log, $Text + [Environment]::NewLine)
}

# Creates the directories of the program and its log. Users can read the result of the bootstrap. They cannot write it,
# as they could in other directories of the drive.
function Initialize-State {
    $null = [IO.Directory]::CreateDirectory($state)
    Protect-Directory $state
    $null = [IO.Directory]::CreateDirectory($public)
    Protect-Directory $public '(A;OICI;0x1200a9;;;BU)'
    Write-Log 'start'
}

# Creates the file with its access control list: another user who opened it earlier could keep it open, and the owner of
# a file can change its list. Only the .NET Framework, on which Windows PowerShell 5.1 runs, has this constructor.
function New-PrivateFile([string]$Path) {
    [IO.File]::Delete($Path)
    $acl = New-Object Security.AccessControl.FileSecurity
    $acl.SetSecurityDescriptorSddlForm('D:P(A;;FA;;;SY)(A;;FA;;;BA)', 'Access')
    $rights = [Security.AccessControl.FileSystemRights]::Write
    New-Object IO.FileStream($Path, [IO.FileMode]::CreateNew, $rights, [IO.FileShare]::None, 4096,
        [IO.FileOptions]::None, $acl)
}

# Gives a directory to SYSTEM and the administrators. The second argument is the rights of others in SDDL.
function Protect-Directory([string]$Path, [string]$Others) {
    $acl = New-Object Security.AccessControl.DirectorySecurity
    $acl.SetSecurityDescriptorSddlForm('O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)' + $Others, 'Owner, Access')
    [IO.Directory]::SetAccessControl($Path, $acl)
}

# Creates the directory of the path and returns the path of a file in it.
function New-TemporaryPath([string]$Path) {
    $directory = [IO.Path]::GetDirectoryName($Path)
    $null = [IO.Directory]::CreateDirectory($directory)
    [IO.Path]::Combine($directory, '~m.new')
}

function Move-TemporaryFile([string]$Temporary, [string]$Path) {
    [IO.File]::Delete($Path)
    [IO.File]::Move($Temporary, $Path)
}

function Write-Parts([string[]]$Parts, [IO.Stream]$Stream) {
    foreach ($part in $Parts) {
        $bytes = [Convert]::FromBase64String($part)
        $Stream.Write($bytes, 0, $bytes.Length)
    }
    $Stream.Close()
}

# Writes the parts, which are base64, to another file and moves it, so that no reader finds half of it.
function Write-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
    $temporary = New-TemporaryPath $Path
    if ($Secret) {
        Write-Parts $Parts (New-PrivateFile $temporary)
    }
    else {
        Write-Parts $Parts ([IO.File]::Create($temporary))
    }
    Move-TemporaryFile $temporary $Path
}

# Appends the parts. A secret file is rewritten, so that it has the access control list.
function Add-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
    $null = New-TemporaryPath $Path
    if ($Secret -and [IO.File]::Exists($Path)) {
        $Parts = @([Convert]::ToBase64String([IO.File]::ReadAllBytes($Path))) + $Parts
    }
    if ($Secret) {
        Write-File $Path $true $Parts
        return
    }
    Write-Parts $Parts ([IO.File]::Open($Path, 'Append'))
}
