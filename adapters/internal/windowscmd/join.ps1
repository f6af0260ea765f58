# Functions that make the machine a member of a domain.

function Join-DomainOffline([string]$Data) {
    $blob = "$state\blob"
    (New-PrivateFile $blob).Close()
    [IO.File]::WriteAllText($blob, $Data, [Text.Encoding]::Unicode)
    & djoin.exe /requestodj /loadfile $blob /windowspath C:\Windows /localos
    $result = $LASTEXITCODE
    [IO.File]::Delete($blob)
    if ($result -ne 0) {
        throw "djoin ended with exit code $result"
    }
}

# The domain's account of the machine gets the new name, which is not yet in effect.
function Join-Domain([string]$Domain, [string]$Unit, [string]$User, [string]$Password) {
    $secure = ConvertTo-SecureString -AsPlainText -Force -String $Password
    $arguments = @{
        DomainName = $Domain
        Credential = New-Object Management.Automation.PSCredential($User, $secure)
        Options = @('JoinWithNewName', 'AccountCreate')
    }
    if ($Unit) {
        $arguments.OUPath = $Unit
    }
    Add-Computer @arguments -Force
}
