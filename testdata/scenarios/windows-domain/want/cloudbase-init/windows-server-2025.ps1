#ps1_sysnative
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$state = 'C:\ProgramData\machineadm'
$public = 'C:\run\cluster-api'
$log = "$state\bootstrap.log"
$runner = 'powershell.exe -NoProfile -NonInteractive -OutputFormat Text -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\run.ps1 '
$output = ' <NUL >>C:\ProgramData\machineadm\bootstrap.log 2>&1'

function ConvertFrom-Base64Text([string]$Text) {
    [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($Text))
}

function Write-Log([string]$Text) {
    [IO.File]::AppendAllText($log, $Text + [Environment]::NewLine)
}

function Protect-File([string]$Path) {
    $acl = New-Object Security.AccessControl.FileSecurity
    $acl.SetSecurityDescriptorSddlForm('D:P(A;;FA;;;SY)(A;;FA;;;BA)', 'Access')
    [IO.File]::SetAccessControl($Path, $acl)
}

function Protect-Directory([string]$Path) {
    $acl = New-Object Security.AccessControl.DirectorySecurity
    $acl.SetSecurityDescriptorSddlForm('O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', 'Owner, Access')
    [IO.Directory]::SetAccessControl($Path, $acl)
}

function New-Place([string]$Path) {
    $directory = [IO.Path]::GetDirectoryName($Path)
    $null = [IO.Directory]::CreateDirectory($directory)
    [IO.Path]::Combine($directory, '~m.new')
}

function Move-Place([string]$New, [string]$Path) {
    [IO.File]::Delete($Path)
    [IO.File]::Move($New, $Path)
}

function Join-Parts([string[]]$Parts, [IO.Stream]$Stream) {
    foreach ($part in $Parts) {
        $bytes = [Convert]::FromBase64String($part)
        $Stream.Write($bytes, 0, $bytes.Length)
    }
    $Stream.Close()
}

function Write-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
    $new = New-Place $Path
    [IO.File]::Create($new).Close()
    if ($Secret) {
        Protect-File $new
    }
    Join-Parts $Parts ([IO.File]::Open($new, 'Append'))
    Move-Place $new $Path
}

function Add-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
    $null = New-Place $Path
    [IO.File]::Open($Path, 'Append').Close()
    if ($Secret) {
        Protect-File $Path
    }
    Join-Parts $Parts ([IO.File]::Open($Path, 'Append'))
}

$null = [IO.Directory]::CreateDirectory($state)
Protect-Directory $state
$null = [IO.Directory]::CreateDirectory($public)
try {
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/8R7e5OiSL7o//UpuH0r1qo7rQ0+asae2xtHURBKsQR5SHffDcjMEjR5LCQqtTvns99IQEWraqZnzzmxMVGjwO+dvzft/2ZmDkSMmzOBAzw/RA4MPjNJFqZMFAL0kUlJFKeMQxjiIebZT1LCPDs+zhLUurkdJ0mUDADxo/ApQc8oQSFAzBemoZEobtzcPiXROkFpevXQxygkOOejkPhhhho3tylxSPGM//ytQHKCkUOcb2ehGje3ceZiH1RQSRZ+AzhLCUqaTuw3bm5xtGa+MB9KWt/cKCIpSZy4haP1h5vbJAtDlFDkONqjJPUQxi10QExTiZ6S6NnHxddQCglKHED8HWKa84zEGRGiJHAIs0QHwjTHBwSyQuEI+yBnhnnspCnTFCiBd6Wn4rbilGMaN7dRQZRKwvxfRZ8yf/3r+2gXWjDtv/6Fo3bwnLQwVkqchBTWQzG99qnsSRYTBBs3tyCCFIq7uXnOwuKMGD4KdyghQhIFzaGToocuVerua0oSP1x/v6VX98w/bhiGYb7Si9Y4BBGkzz5/1pfCLy0REa0AvvtaEfv++TOlV5KrnpWE7m9+q/E2E5+g5jRav8NOmreoDb9//jyIYxTCAcaFcPRcPzIFLPMT83Uc7vwkCgMUUs4K2k/9EF1yekoiggApjuTM7Mkh3pHZrQMw84VR0L45dzcIEEZDIEt8krcGAKA0pa6ZRLiQ6PjohNnSEDneHKEUJH5MokSDEFNPuWuMPj/dDX79VRj8+uuv2ur+9H04uG98ZBolh8b9tdoaIhfM7wqRPxYs31Zw5CcIkCjJ/4tanuj8aVXnn4eDUt25xEt1lc/XldrzfYiSj8wr7U/M/5QJqFJP2AHvHTA8UmW+FFzow++fP4uInPgpToBKBqUwt2GGcQVeF4pPkEPQ2dZn2mclKvJ8FLh+iGogH5nGfwatEO0bl/LPoh26VkBB+4/Mm+rUvGSEMCIXctceUqp3JZ0KoM5Tjvyw+eQkJD3y/Pqd8klI+rGgopEEOcH32/LzyPw5SpADPObuNnYSwvghU+Icnxe2c3OCUmq838sKFP/+jFOyaRWJ4a6k8JFhP1bEWlMUro86/nZTx+BxlKK7t9LL65D/yHx1owh/v9UQSBA5Gfik+sllQrSvoqU4l9KC1xYuneGOAt+f5KAw/jNzV/GoG6aeiwoWNXXO51FZlLmrcZrHKCz40JRRZMTGfcnq7Dul0KWgdWMMIPyvmaKMhD+wRSlhSfkk4p83yon0j1vliuelJ9Deozk8Fs67r35Ivt/yEUQn9RIEogTWmoVjR7NJo/DDSfJmGJG6vuODn5L0rkK/v/B/QsvTlzq0ipyLGnb/Crj8bCYoLmzc+Pr/voVM8z+/02zZeA8anMGd5gvb7H//x8Nv31qnC+7hN4r/NUHQAQTB72dKxWlQKlVoMc01Ybps/6GuySuWLS1z0yqAL5BL1BPib2eJn32EYXpZevgIY1QcUNrSYgR8B/svCLbmCUQJgiO/eOYk+TWZ1gDCu0bR8zQ+MmXzc/82EO2DKAz9fAcEHXxCfYGCFT7xNhiO1hSC6nuGqB1ukW1Op1s6xEfmrkp+y6gpp1HINPkoiGn/yzSlMM5IZYqK0309tdVTTBTnZ5ofqrb33Ao2L7yVSplklR5Uu1Kvi4iQwl20RU2NoLiWEaghr+oNvSxqvIsjsP1+O4xgfoqa8snnY/dZErh4VPWh54g+Pji1ovTmqRFk7koazE9M4zPTYH5ialWNJHnNK//CFLIw/2SEKBk7wDu61T9q5D7c/u1DZc7y/8AhwKtRuQQ93b5MGBdCV8Qu04uTkKZWwLzdfPyFAQEsZotPkPkEmLvj8FEpSD/LIaCWJacDbTm2pCU/H42ZZogY9iK/XBryAvoERLwk2jMf6KBWgjMohAgye594pWsU6BfIH97Q8OguVyrWu/VztT3lUHr4dMT5UDok8x/VFHBTmvhstNcY7/Q4r+Du3xKTHty1qEoWuLTZ/FHZaWx9q7D+nA6vMC9EFBFpCg6oS+YE5zq0c3BWDHKNsx9QAKaJ/s40vCgloROgxoUjHHG+Koi0RmFaNrWTKCVFP3vfWkZTOuBK4c5JfCckd/U0c8UiTvydQ5D0tOteckmirJjHqQIKImpx2RxASLOZ4AQ+zhmKxTRHKCV+6BxXAP6BabCt4r9PbIP5J6NFCTkGa/MpiWKUkJwpCM4QSXxAYRAtDScoodgycGdpnJLvWR7pqRLlbZmKGf7ZAUgKITpU2rSu7v4x26Opj/xbJ7ZXFi0ahRK8bsVaPFYjfSNlSuv7KUNxtmG0Dz/Uy8C5fV5GF83zu+P4kDbLdxX3+1fuN4r2IY4ceHZBPcFvpP3qcoDXUeITL6jdG/lrlJLX40BYaBIy/3HXmCyXT397UufWijYf9Eo7Xyrz6vtFy3Q1yWuI1G4Y1HddjEomH6+Bxd8Fbswqa19U2N/p72+juGhMmC9Ul+Zzqq2nVPBmMyUQJUnxvbyRIJLk9Guvdt2ECDvF3XZxN6K9Q9G5U2PfH4tClpQbpyO7H03+lR9R/D+R0asRnmQObeXvilTkYzRxUo9pTn2CEgcX1agwTPN08MzZB+5bFPosZkWNCnjlFO8MqXRKeiscYIHMRM/M3nMIs3dS5hkR4CFII6PiU1fkj0ceDZGmmERZ/HauPYVpYYhpBBxcQDPNIh6rnFjbZzLXW8rLfr82Ib1N7I26SjkPAIiysMzV7wpay9ADGPihTxsTEiWXOboA+lJTSE9RwvyTMT2UoHN/dPu3liaNWkaRzJrY3yKmoTW5Zq/Z5pr/p9lj2Qbz232rJvOJ+isDPzlpuo8SeCn6RTYpAc5NIwJZQsU8t8bFPgmVaY1pVp8nTKY5SJ+w44flulWIEoBOhrlU9cePrmY27X0SJxEqqU84CSJZEl7kkqvj/2NizOno0Q4l40PsJyg9g9XvvjK76oQwCt42ft1v/hvM81rV42anNsvRW1+/M+1uNU4X4r2zaeSTPCbROnFiL2+pilheayjZ+QA9JdHOhyip06nVtIJ11XzVvK/S6a7hDLj/RceG96tmReL+1XZkhmjH9q4fF+F8EZJVgL+KyfQyKEuwL6/TjCaNjnHXaTd73W7jVcxdjjxUyjOBUl6mTHFHNpUWFwnnPPd8nfkgidLombSeaEeoFa88+CgInBCmrRK33GmMDwAVNen7O9PSsWlxmKBkGT1XQrw1QAzSFCWk+QdJDoW7z/x89qQvx6oymJWF7wLs7SaKygEcjBFkXtH4HWlGUeD44Vme8vqUqEAUxBkp3hDRo+P9QApT4oQAMU0eO2lamMD0w077b3wFq+UpQcFVG3gk1HpyEjJ/vmRz1qhxpRHFrVvXYWCB+SuTouLFkumHMNqn3yBys/U3BRENkax4L9S4bvBLnkzTCWFNnuPdonq/I9XdtVh1kYoJ/Yrc/dngP7w/Lyan+5tXbzGY8smPEyo3I/c3Z089vhKjZni9uTsPlE5CEPxwKulXGwDu5reb1zvfV9inVWdtv3KUgM5WKHYS1DitKC4mzup94HnQbABRyFcmG5kdhQUBzmyO3eqiwDr89lEeGzkI+vnCVFjH7Gf6RMZ2YOS22dvY2qAv8XAJxf5e3kdbfSLv7I6MQUdZgMAIbEvGbqBgacSuZU6JXdHIoHjoLdr9DIo4g6Ye8ljBkOdmblvxoIh3rj8gSxGztiV7rjD0oLhey+zsweLBoyzC1G3LnjuKZwtD0VXDk42x8qSO9fWTNtjz/motlziPtuXFkB9sl2NhaYyNlWaooyWrCvz6y5fGPfPbpeVIkqXUcmmMQKvywVZxE0F+kF5Z8v1Xxd8KnG+pT1AL0LO4fXZwWhh5qrFkqnG8qkN56Q9HqiHrmm7LC1bQ1eIZS/gtJ2u6HKhjZbQwlInNCh1Nl4c2i43lWBGMtmyvOnLsTuTFilN6iqXm0Fy/uG2vo43sF8gqoanjqcvFMgqivaoLHc0Cj6oZC7rODZUxHM4MQ1hYsKOJs9wdDR2dlce6oQ5t1u7MJnjubI3u0owFyPbGhoUVQ1Q9lR13kc7p2lJWjLHQW7LqcDaI58YYd5cbYQdZ4++qISiLpTpZLAWD8oWst5kF+72JFV4VBH2BY2Wx5SaLEB9UTlGUER7arDFZsMrpGrKGxG/He00X+KUFbX2J9bkgvaidRdeZ4HBp/tJ1sTrUQnk5Xw7ny/a+reneizr2wkVbTlZ5X1ia2APt/vCRszVHNB5hoJIVt3o0dTLTDakDg8N0aXIHaA0F/cXY22KUrCxV0UQpd7DxsMCystgMCz3ssRrqBuQXWOKMif2id+Tu3IhlMDKs1Wbb0RZRgnROcATBMXiiL0ybt9meqQmKoupwvDBg+C6uRnpL3Yh0I9YfOXWoj+VwiW1J33I8vxWC+djgjbEwXhiCNGW5ocvC0aIjTHSWZee6PFzqynAmkuFSN+wFi1V1JKTmEnKzF2U3N+B4LkBR1W0FtEl3ZnJ4FkqPpggV0I5zdalgQxhKSpDuXfMw1ExvqG3UroFhoL4oPOBi3VkK1mwrDGcjeaSMI9YVhjnw+5bLkwXkbMNhlQed+uAgKnx3qhtzlX/Hr//VoLvYBzKNn3/OPq3aRg4nBuuY+8y2PCzxXCDxnGeL6gsU+7mtDTW33WclHo7m+LAAQT8EgUBUUWBXxoGsTCVyzB5emSqxJmoOLYW1JkoMRT1bdWRW3sex7Q8ieXwY6pwqmGOsL9j+WNUGxA309YzfrlE+xEjErMSrrxLR8yL60vghVeMkOuTvaGmyRgYDnLvtHrHNHmstowe9bbCq2Ws7lrxzAw67oWquLDlemXJqa+tQE1RdF/oLfdtfmRpIJR5GcKLu5/4vOzCRd2iypRbzXGuY2svoZbaUunK+X8ss563aXuwGevi4iN0rHnC+iZe2pQpuaMcg6GeuaWRQsD0QYG8VHPAjDyVDUBc692/hPV9e8AWHGd/tKX53P90MdrPlKp0Gyg6EgzP/Uj7l6Alyvn2UxUt705K14K9suuR+UCdPN4Th0uKG2pLz7CfTY+Fk8DDN+3sQ9LtI62EkCgSIBzzfzA6zzTqc8oNwue0/64L8ZArb/mw5yObLVTbju/vpy7g95XsbtyPvp4HRXZnc3hULewVuR8ZUD4lfb91AILY2jF1/OHjk4cZt99iViTPbkreFXG3CrQIjta1F+Kht12gfrSV+sJZFglFZyiWNPShzfFia1Kt1Diw6tPwbGRwrOzdUc7d9oOcBdBqFAd7YlgLkfJBIvJqtTA7z/mAt8cMiggzReIE8t1hZaiTx3MyxVAwCIS1bi8HWaRu9R234c4lT/lEfn+qYtU2ORu7etmQWaW+0BKXMZFnqfOkf/IAYE7y3taECzQPrGFVbkw+IEQgpNPX19XlXcvf5kH10A4MF7XWZXSYwdoPi/NagbbDSZJi7Ha8n8bA6S+7FtuS2bUl9Z6KyYMS9d8Y/F88ns/77vjMIVyHeryzlZWoeYtBZ9J/Ew27VFtKnTfr3N/z48ccyjRfRe/+oT0dMY++HzTCCqMn9GJFyKJAjP6yRqjr7BoiSuIUOThBj9IpclqLkmhq9l35lv1Nat065n6gGoNqi6noL9evVNH5EbIBu2E1yZgADLnzF/9mnQl3y32YuSkJEUFFn6utqpuEREqefP30K/CSJkqNan3Zcq/PQ6nxy/fDTvhyJPjkBfOh+osQwIi10oHz4z9+23y5uaZNBu/fANDiXfeZch/tX//fv0cyBwbVmp1tHzdr/k5pRL/3xFvwoX+4EuHEeclAue0DEpm3JL3SQkTaR73QM3zaFrav1kvlkljnmLzu4EXzbUj2Fl1IpILEbLPy5Lz+6bZzRwcUOcAgtuRpWKIwag7ayg4GRI016QLns0/4DdNR8ZQ11t02w6xf32eN3iuOYvVTxewSFRgSDwx6ZXKKE3m7WNvaSv/dX1jAus6yRq2ZvC8R+7IaFLFvb5Ha1SvCgbBbsLKeyKN6C4ow9D7Q9DHLpwczlF0cc58py9TAXDd9egrZi2ptVoG5mL952tlE29kY6zMQxNxdnubJZcLPl+kUZjbuzjbqZjQSsmKsXZTP0Z6NFd7VcdebL1V7ZSF3lZZGvchk+W2wqBb2dLRqabcK41F2N3XbXn4epT2cWvd3fODSDbiLfDYcxEPWHaf7Lbpp3d0Ck2bp/UbGmZlFxPFqhQbDwp7xcPIOTmT/H5GcpoBWA2pLy1bNV+8CBjoqB3+tOzbQL8l7s5n3ODXDmWGq8Mg8xCowtta1t2oFtKoUsy6C/XLU9bE+M1NbkvkV1CWmVUSLbmhXy2yLOKbzbkXsUZ/ESA0sY5m4b5iuTG68s1bOEq95SOOxXlrpxRONFCrn+2z3wv+7msUOAh9JjogFR+Oyvs6R4HcqyLPtTgJI1eiMKyMryFm5bfZE2UXs2YR9fS5WFPvn9tPJGyyqLPc4V9+snbTi3LUCWgcGqAc5tC3queNCgeaDN+py2CZJ4akXWU12NQWeYriz89rPA2JTBNpTdQN5Bs7eV+KI9YN22snP5ob7gBuupXpZKXeznkB8cZiOJm/EDctxcSGMhdcV+p/Ej2kapHkOnUpbWnGptzByLZ+bQCrZrMM3i5XwWL/MYMSM/dVyM4K/lXud9pOLlwn+HIFkapTvwp8Q4ofywEJdDmYrS8t8jXJIFUUgcP0QJfI+0G0WvSNN7x8Vw1Q68+tcVTINlWa5RulnZIfYwHNOOz+iszENaLJ4CnNragJy/D8dum/Mcs7ue6kZWTEnmYq0GQgra+usZbVN0Npeh+Kaby7HrF90ynS8TeR9tV5YcQrOYWF6Ok4MT9GPXLyYSUuSywI7tvJg8/nguLUPAs0U2Q6ZAXB7EvK92inzCU95c5nYW68cxxJDnlrQDdUzlnfC6XOBJwpuLOEo/cEUhBPlJt/bKkoErYt860VPBuWZyFXwPu+Eq5H01gaaMXdEopic5l0KJT9eVvRKJhxXuAUOedse6L/EsgW2c2WK/A/Kyky71YMmqqrVP+uzBmtgewIfUMeUzDeFA60XgmKCy0YDaGYNwQWi+/h28vdPerunUUk0e4VTjajV7QErY6sxeOGoLDEWlpGHJmU0nGe7wBk6hWyEX1eEH6ZzsRjt8NzjbkvoCtaXeUT2qF/XtVdt4AfmAqNTHjXIaknzVd8xe7WyO9uWGIIBcMRWNi4liLYtCbneMYuqhdJZBf25b0HLM3tbtgPXUGHqgo+jOROZ4X82geUiL86z5pCYKmS0eMB/CyCnS+pq4QZ+V+LPc063nAdbo0qnP5s/T5kmX9gHb1mA9NRRcnPVktp4tShjHXK0f+ZO/kxVN+QKRl3lPpPysZfSgWh7tM14e+aPfbmNpkj4eJ0mJH2yhaHQhjZcrXJ3qQcuBoGI0WUSyaKcrE748aj0dBJg88tsanXKalScF7HpqckVvIPEQaZzBq/pBMIT+1NBlYaGrisUKmsrN+pK/zh79rS/z4Fquauq+LJenifo81Z7jieeWUBRyODH21WQ7hJa6c02BdcwZLZMYiEZmT5Qn1x9e9FESz/GO2fNAiItJvKQ9iORajnjMB6HEA/q5XZoCS/shwKUHS9u+kvt8fu/LW5/oy7967lKDlXl4sauzLv4m7OPx83lR7d9q/kbPGo4V2uetp2YPS6PB2aYi9bHF+h14Ss/V9F+yMl7Yh/lWLWS0tXVI+7jqpYXn6qoHRQG4prBxRJwVcWQczv4cYs8198WWqqBX6wkLfxSL/Igff2jveOovwyn104nM2dr29TQfF4N745mOwF7j9/8VYfljrcs3O//jb2989QWKAlvR+kPFKR8wMXxXxJuCLkuTtMy5+LBxJ8YLFI18agp7RwOPsnjY2UUxkragQw/HAKugv4MThQWBsJ8G9Ln0KFP8oIdBWZT3bgdiECqRbR5SOiSVDtqncgVO1YO67Z7shsU6ivaW7QKmY7BgQnvWfk4DSxKqgNeNrm0qXNGD4uGOyo60IY8smihp8NmxK+rrH3CmHJrdDExmB6l4m9Xn4GTIFQmKB+uncc9Y8oOfnrazh1fDhXhck1IH596wwyB/8lcHal83NFL3nPTGjiXjVUfdgRDD+SYegcCgtqzd30byZMitgkO8yrePJoufpluqk0HhLRBg1tbPyVLy1T005dQxlUs5LIVbtRUMOrNs1e4Xqy8o6v6UH4SgY2zKwgViPsCBxHtvB9EpqV+dOS/F51Xh8GLtCdpK7lhDVhJx9o7OE9tSi+QP8rUvTxR2ZanYEuWd21n4j9rwF0lQdjSpLdvy36k812tJmSZVc1G9cOhvJb6/KXiHRuYGRl40OhNlAwK8h3yxDt1BS91DaxHX6VSF7dVLg1dJrfb37pvMGt3nKpk+L+Jq0Hzn10PHhAGjEH24/MXMe78xeONnAGlW/FSuBaIgxoigDx+ZRnWv+LHZ/w8AAP//65Aqots7AAA=')
    $packed = New-Object IO.MemoryStream
    $packed.Write($bytes, 0, $bytes.Length)
    $packed.Position = 0
    $plain = New-Object IO.Compression.GZipStream($packed, [IO.Compression.CompressionMode]::Decompress)
    $file = [IO.File]::Create("$state\bootstrap.ps1")
    $plain.CopyTo($file)
    $file.Close()
    Start-Service -Name Schedule
    $do = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument '-NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1'
    $when = New-ScheduledTaskTrigger -AtStartup
    $who = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -RunLevel Highest
    $how = New-ScheduledTaskSettingsSet -ExecutionTimeLimit ([TimeSpan]::Zero) -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
    $null = Register-ScheduledTask -TaskName 'machineadm' -Action $do -Trigger $when -Principal $who -Settings $how -Force
    Set-TimeZone -Id 'W. Europe Standard Time'
    Set-WinSystemLocale -SystemLocale 'de-DE'
    Set-Culture -CultureInfo 'de-DE'
    if ($env:COMPUTERNAME -ne 'win-node-1') { Rename-Computer -NewName 'win-node-1' -Force }
    $secure = ConvertTo-SecureString -AsPlainText -Force -String 'c4n4ry J0in <&''">'
    $credential = New-Object Management.Automation.PSCredential('CORP\joiner', $secure)
    Add-Computer -DomainName 'corp.example' -OUPath 'OU=Nodes,DC=corp,DC=example' -Credential $credential -Options @('JoinWithNewName', 'AccountCreate') -Force
    exit 1001
}
catch {
    Write-Log "$_"
    $record = '{"phase":"start","step":"layout","exitCode":1,"log":"see C:\\ProgramData\\machineadm\\bootstrap.log"}'
    [IO.File]::WriteAllText("$state\failure.json", $record)
    [IO.File]::WriteAllText("$public\bootstrap-failure.json", $record)
    exit 1
}
