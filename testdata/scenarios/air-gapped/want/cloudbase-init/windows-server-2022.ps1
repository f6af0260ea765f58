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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7x7e3eiWr7g//kUTE1Wm0yXNmhMl3Wmel1FQYhiBHlIVU0v2HtH0M2jYaNi97mffdYGVExMnarbd2adlaPA7/3+bcr/yUwdiBg3ZwIHeH6IHBh8ZpIsTJkoBOgjk5IoThmHMMRDzIufpIR5cXycJah1cztKkijpA+JH4XOCXlCCQoCYL0xDI1HcuLl9TqJVgtL01UMfo5DgnI9C4ocZatzcpsQhxTP+87cCyQmGDnG+nYVq3NzGmYt9UEElWfgN4CwlKGk6sd+4ucXRivnCfChpfXOjiKQkceIWjlYfbm6TLAxRQpHjaIeS1EMYt9AeMU0lek6iFx8XX0MpJChxAPG3iGnOMhJnRIiSwCHMAu0J0xztEcgKhSPsg5wZ5LGTpkxToATelZ6K24pTjmnc3EYFUSoJ878VfcL87W/vo11owbT/9ieO2sFz0sJYKXESUlgPxfTap7InWUwQbNzcgghSKO7m5iULCx8xfBRuUUKEJAqaAydFjw9UqbuvKUn8cPX9ll7dM/+8YRiG+UovWqMQRJA++/xZXwifWiIiWgF897Ui9v3zZ0qvJFc9Kwnd3/xe420mPkHNSbR6h500a1Ebfv/8uR/HKIR9jAvhqF8/MgUs82fm6yjc+kkUBiiknBW0m/ghuuT0nEQEAVK45Mzs2SHekdmtAzDzhVHQrjlz1wgQRkMgS3ySt/oAoDSloZlEuJDo+OiE2dIQOd4cohQkfkyiRIMQ00i5aww/P9/1f/tN6P/222/a8v70fdC/b3xkGiWHxv1rtTVELpjfFSJ/LFheV3DoJwiQKMn/TS1PdH5Z1dnnQb9UdybxUl3l83Wl9mwXouQj80b7E/NfMgFV6hk74D0HwyNV5kvBhT78/vmziMiJn+IEqGRQCnMbZhhX4HWh+AQ5BJ1tfaZ9VqIiz0eB64eoBvKRafxn0ArRrnEp/zTaotcKKGj3kbmqTi1KhggjciF37SGlelfSqQDqPOXID5vPTkLSI8+v3ymfhKQfCyoaSZATfL8tP4/MX6IEOcBj7m5jJyGMHzIlzvF5YTs3JyilxvtRVaD492eckk2rKAx3JYWPDPuxItaaoHB11PH3mzoGj6MU3V0rL29T/iPz1Y0i/P1WQyBB5GTgk+qnkAnRrsqWwi+lBV9buAyGOwp8f5KDwvgvzF3Fo26Yei0qWNTUOfujsihzV+M0i1FY8KElo6iIjfuS1Tl2SqFLQevG6EP475mizIQ/sEUpYUn5JOKvG+VE+uet8ornZSTQ2aM5ODbOu69+SL7f8hFEJ/USBKIE1oaF40SzTqPww0nyZhiRur6jvZ+S9K5Cv7+If0Lb05c6tIqcix52/wa4/GwmKC5s3Pj6f76FTPM/v9Nq2XgPGpzBneaBbfa+//Px92+t0wX3+DvF/5og6ACC4PczpcIblEqVWkxzRZgHtvdY1+QNy5aWuWmVwBfIJeoJ8fezxC8+wjC9bD18hDEqHJS2tBgB38H+AcHWLIEoQXDoF8+cJH9NptWH8K5RzDyNj0w5/NxfB6JzEIWhn++AoL1PaCxQsCImroPhaEUhqL5niJpzi2pz8m4ZEB+Zu6r4LaKmnEYh0+SjIKbzL9OUwjgjlSkqTvf10lYvMVGcn2l+qMbe8yjYvIhWKmWSVXpQ7Uq9LjJCCrfRBjU1guJaRaCGfNVv6GXR410cgc3320EE81PWlE8+H6fPksDFo2oOPWf08cFpFKU3T4Mgc1fSYP7MND4zDebPTK2rkSSvReWfmEIW5l+MECUjB3jHsPpnjdyH279/qMxZ/h84BHg1Kpegp9uXBeNC6IrYZXlxEtLUCpjrw8efGBDAYrf4C2T+Api74/JRKUg/yyWgViUnfW0xsqQFPxuOmGaIGPaivlwa8gL6BES8JNoxH+iiVoIzKIQIMjufeGVoFOgXyB+uaHgMl1cq1qf1c7c91VDqfLrifCgDkvmPagu4KU18NtpbjHdmnDdw99fEpI57LaqSBS4dNn9Wdppb3yqsX9PhDeaFiCIiTcEBdcmc4NyHtg7OikWucY4DCsA00T+YhhelJHQC1LgIhCPOVwWR1jBMy6F2HKWkmGfvW4toQhdcKdw6ie+E5K5eZl6xiBN/6xAkPW8fLrkkUVbs41QBBRG1uGz2IaTVTHACH+cMxWKaQ5QSP3SORwD+nmmwreK/v7AN5l+MFiXkmKzN5ySKUUJypiA4RSTxAYVBtDWcoITilIE7S+OUfM/ySM+VKNdlKnb4FwcgKYRoX2nTenX3j9keTX3k3zqxfWXRYlAowetWrOVjtdI3Uqa0vp8yFGcTRrvwQ70NnMfnRXQxPL+7jg/osHxXcb9/E37DaBfiyIHnENQTfKXsV5d9vIoSn3hB7d7QX6GUvF0HwkKTkPmPu8Z4sXj++7M6s5Z0+KBX2vlSmVXfL0amV5u8hkjthkFj18WoZPLxNbD4Q+DGtLL2RYf9wXx/G8XFYMJ8obo0X1JtNaGCN5spgShJiu/ljQSRJKdfu7XrJkTYKe62i7sRnR2KyZ0a+/7YFLKkPHE6svvZ4l/FEcX/hYperfAkc+gof1eUIh+jsZN6THPiE5Q4uOhGhWGaJ8cz5xi4b1Hos5gVNSrgq6B4Z0mlW9K1dIAFMhO9MDvPIczOSZkXRICHIM2Mik9dkT9eeTREmmISZfH1WntK08IQkwg4uIBmmkU+VjWxdp7JvD6lvJz3axvSdWJX+irl3AcgysKyVr8raK1C92Hghz4dTEiUXNboAuhLTSE9RQnzL8b0UILO89Ht31uaNGwZRTFrYn+DmIbW5JrdZptr/q9ml2UbzO/3rZrMJ+pvDPzspOkuSuCl6BfVpAQ4D40IZAkV8zwaF+dJqCxrTLP6PGEyzX76jB0/LI9bhSgB6GSYS1V/3nU1s2nvkziJUEl9wkkQyZLwopa8cv8fE2NOrkdblIz2sZ+g9AxWv/vG7KoTwii4bvx63Pw3mOetqseTndouR299/c60H6p1uhDvnZNGPsljEq0SJ/bylqqI5bWGkq0P0HMSbX2IkjqdWk8rWFfDVy36Kp3uGk6f+x90bXi/a1Yk7t+cjkwRndjejeMinS9SskrwNzmZXiZlCfblbZnRpOEx7zrtZvfhofEm5y5XHirlmUApL1OWuCObSouLgnPee75OfZBEafRCWs90ItSKVx58FAROCNNWiVueaYz2ABU96fs729JxaHGYoGQZvVRCXFsg+mmKEtL8gyKHwu1nfjZ91hcjVelPy8Z3AXZ9iKJyAAdjBJk3NH4gzTAKHD88y1NenwoViII4I8UbIuo63g+kMCVOCBDT5LGTpoUJTD/stP/OV7BanhIUvBoDj4Raz05CZi+XbM4aNV5pRHHr1nUYWGD+xqSoeLFk+iGMduk3iNxs9U1BREMkK94LNV4P+CVPpumEsCbP8W7Rvd+R6u61WHWRig39Fbn7s8F/+vy82Jzub968xWDKJz9PqDwZub85R+rxlRg1w9uTu/NC6SQEwQ+nlv7qBIC7+f3m7ZnvG+zTUWftfOUoAd2tUOwkqHE6orjYOKv3gedFswFEIV+abGR2FBYEOLM5dqOLAuvwmyd5ZOQg6OVzU2Eds5fpYxnbgZHbZndta/2exMMFFHs7eRdt9LG8tTsyBh1lDgIjsC0Zu4GCpSG7kjkldkUjg+K+O2/3MijiDJp6yGMFQ56bum3FgyLeun6fLETM2pbsucLAg+JqJbPTR4sHT7IIU7cte+4wns4NRVcNTzZGyrM60lfPWn/H+8uVXOI82ZYXQ76/WYyEhTEylpqhDhesKvCrL18a98zvl5YjSZZSy6UxAq0qBlvFTQT5fvrKku+/Kv5W4HxLfYJagPri9sXBaWHkicaSicbxqg7lhT8Yqoasa7otz1lBV4tnLOE3nKzpcqCOlOHcUMY2K3Q0XR7YLDYWI0Uw2rK97MixO5bnS07pKpaaQ3N1cNteRxvaB8gqoanjicvFMgqinaoLHc0CT6oZC7rODZQRHEwNQ5hbsKOJ09wdDhydlUe6oQ5s1u5Mx3jmbIyHhRkLkO2ODAsrhqh6Kjt6QDqnawtZMUZCd8Gqg2k/nhkj/LBYC1vIGv9QDUGZL9TxfCEYlC9kvfU02O1MrPCqIOhzHCvzDTeeh3ivcoqiDPHAZo3xnFVO15A1JH4z2mm6wC8saOsLrM8E6aB25g/OGIcL89ODi9WBFsqL2WIwW7R3bU33DurIC+dtOVnmPWFhYg+0e4MnztYc0XiCgUqW3PLJ1MlUN6QODPaThcntoTUQ9IOxs8UoWVqqoolS7mDjcY5lZb4eFHrYIzXUDcjPscQZY/ugd+SHmRHLYGhYy/Wmo82jBOmc4AiCY/BEn5s2b7NdUxMURdXhaG7A8F1cjXQXuhHpRqw/cepAH8nhAtuSvuF4fiMEs5HBGyNhNDcEacJyA5eFw3lHGOssy850ebDQlcFUJIOFbthzFqvqUEjNBeSmB2U7M+BoJkBR1W0FtMnD1OTwNJSeTBEqoB3n6kLBhjCQlCDdueZ+oJneQFurDwaGgXpQeMDFurMQrOlGGEyH8lAZRawrDHLg9yyXJ3PI2YbDKo86jcF+VMTuRDdmKv9OXP9Xk+7iPJBp/PWv2V+WbSOHY4N1zF1mWx6WeC6QeM6zRfUAxV5uawPNbfdYiYfDGd7PQdALQSAQVRTYpbEnS1OJHLOLl6ZKrLGaQ0thrbESQ1HPlh2ZlXdxbPv9SB7tBzqnCuYI63O2N1K1PnEDfTXlNyuUDzASMSvx6ptC9DKPvjReq/riY/RaUxCFxPFDlMD3ywtDb6TfzqD064u/apEowI1zBYeBkYN2UT170lB64jHZuWMjdMzuwZrHLhD3nN3GGcgfQsf8lC2LCizELq3kfDcE4WA9CZf7SaDkjgYhHyqeG6i+2/FeHJPz7HZRYUMQGKFjKSwINxloY9bWuhiJAgHiHk86Aw9aCp6tp9l00c+mPriQY+LD2M27a7fdZZcmzmxL3kwCmANxmsH1iBo/lvNubpswBh01Rwb7ROW0AxxanbITUBnmhxhUncZzddWDogAu9BH2a9uSWZB3N/IuejI7gxSaMHbDaSa38XYSKFs3VD0aBCCYZ3ZH3i3zbnuqddcg2ISTUMZ2Gx/gWO4WsIEd2x0F/lu6aAVs4JiQ4tbvHxxLxZPAeFia3M4V9fDX/QWyul+ONqO4P/KXnHc9aKmRNY850DZyNxBI1dF30NyntiWFfDjwQEfpuB15U3TxNo0LIUcLuJ9ZcTINvY5iLcPrCf5fjfqiqdZjHiUkbcFvCVrR3SdvbT6lLT/65kUpSY+pcGq0PCaR21HYiQ8jOFZ34BBtJ52aT8My2W3L81xrkNparz31e8lsPKW2Xy+tgbcMcOpYamxb09WzNnDlzoBzxV044YscOLjtfdumeRL02rYl546p4nOMDlgQGvj/j01gBDYoed8a1LO0OpTe81g4Hhxm/qftDyNjF/2B5GEE0c8PRZvMpZ+t3LkoWiiXPSBi07bkAx0tpXXkOx3Dt01h42pd6pDMMT9t4VrwbUv1FF5KpYDEbjD3Z7785LZxNq+CHVpyNT5SGDUGbWVL1Uaa9Ihy2acdgSbc0hrobptg1y/us8fvUiAHbuA9KnyXoNCIYLDfIZNLlNDbTtvGTvJ3/tIaxHplTtXsboDYi92wkGVjm9y2lsSPynrOTnMqi+LNKc7I80DbwyCXHs1cPjjiKFcWy8eZaPj2ArQV014vA3U9PXib6VpZ22tpPxVH3Eyc5sp6zk0Xq4MyHD1M1+p6OhSwYi4PynrgT4fzh+Vi2ZktljtlLT0oh3m+zGX4YrGpFHS3tmhox2KztNTYbT/4szD1aYHS27210zZYanc3HMRA1B8n+aftJH/YAhHvbK13WeDMi8LpT3i5eAbHU3+GyV+lgGBq75Kvni3bew50VAz87sPETB9A3o3dvMe5Ac5oci3NfYwCY0Nta5t2YJtKIcsi6C2WbQ/bYyO1NblnWVzvejJlof9mgKDBloSIoPcGCL1tsBNDwSC042VbX030ruea+qoMvT2GfJ/oHdUDocoBQe0CUV/NLYN12xwNsXXjZ6QgfoC0PARUBg2RZnXqVJ2MNXadNoVoMM3i1V4WL/IYMf2MRIFDfPDb8Y3fO1i/KMAVI8DDNIciW01Qvao5gZWc98jS7HJLc7+zTSN3RXyAwziD4/7+beHc7dBwtXJDdTf13zSydDpePch5fws6OFu27dxtc4ErCiE4xBWP3WrSoRO4wNrzL19+Sq/LWnnFtHWA69b9GTZRqsfQqYLomgMzJ0tRsn3FY+injosR/K3c699HKg6X/zsEydIo3YJfEuOE8tNCXA7lKkqvReeF4a+SXkd++LqDXIlNWZTjYpAtJ/hE3kWbpSWH0OSwG6oH2srm/Cp0gl7s+iCVeECK2kQHtZxe/8TkLxJuGRieLbIZMgXi8iDmfbWztNS1w1PeXOZ25qunEcSQ5xa2JbcdU6Hbxmxpclgq8VPbmq8m+uURiSRcPeqg9Mv4z0+6tZeWDFwR+9aJngrOPbDKl7yL3XAZ8r6aQFPGrmiwRTvPpVDi01Vlr0TiITgXMdrOdV/iWQLbOLPFXgfk3OGsB0uOg+KzPn20xrYH8D51TPlMQ9gf60Jloz61MwbhnNgizn+At3Pam5Wc9xPe768kvh9ONK7Wg/ukhK18duCoLTAUlZKGJWe2pWLA7a/gFLoVclEdfpLOyW7lQH+2JY0Fasuy4M8JXSyWbeMA8j5RA5zaRjnUSb7qO2a35pujfbkBCCDnmkYGR/sYdOYrWRRyu2MQ2+yylM4i6M1sC1qO2d24HbCaGMVQrTtjmeN9NaPDduHPWkxqopDZ4h7zIYwcc48lfkXcgG61Z7knG88DrPFA665Nt9JdRG191qW9x7bVX9FmV/h6PF1N5yWMYy5XT/wp3mk93kgCkRd5V6T8rEX0qFoenRsOT/wxbjexNE6fKH71t4Gi8QBpvrzC1akeIyF1BRWj8TySRTtdmvDwpHV1EGDyxG9qdAblxj0uYFcTkzZaJZJ4iDTO4FV9LxhCb2LosjDXVcViBU3lpj3JX2VP/saXefBaruJPFrt0aKcD+cy2AClnN7y2NeoTuuwMzvnEcwsoCjkcGztjTGefwQBa6tY1BdYxp6uJrmIgGpk9Vp5df3AxF0k8xztm1wMhni8tNSpp9yO5ViOe8n4o8YB+bhamwNL5BnDp3tI2b+Q+++99eau8qv3Va5caLM39wa58XfyN2afj58u8OuGoxRv1NRwpdG5bTcwulob9s01FGmPz1TvwlJ6r6Z+yMl/Yx9lGLWS0tdXVZd01hbUj4qzII2N/jucQe665C5+unaDEUXFW9OKHfuo1fvzvqcqfrVyecf8/P8f21QOkg4x2Ku4/bECUDxgbvividUGXpcVU5ly8X7tj4wBFI5+Yws7RwJMs7rd20TSkDehQIxpgGfS2cKywIBB2k4A+l55kih90MSib587tQAxCJbLNfUoHszKQelSuoCwq3Mxtd2U3VDEIhDUUcbuA6RgsGBusGvRymgCSUCWmbjzYpsIVixYebKnsSBvwyKIFjSaJHbt0Wv5jp+fQfMjAeLqXinP9HgfHA64oJDxYPY+6xoLv//l5M320hEHutmG+NLnR0lI9S+S8ZduL3SIQuSt26OfP/nJP7euGRuqei9PIsWS87KhbEGI4W8dDEBjUlrX7m0geD7hlsI+X+ebJZPHzZEN1Mii8BQLM2vq5qEm+uoOmnDqmcimHpXDLtoJBZ5ot271ip4ai7henBx1jXTYYEPMBDiTeK5NHxDldgNyO3L0svq98zkvxkzb4a1kABoHboclDi+VqA9pK7lgDVhJx9o7OY9tSiyIN8pUvjxV2aanYEuWt25n7T9rgkyQoW1p8Fm35H1SeM6+qqNLiZ86Pi8OGLg8F79DI3MDIi4FkrKxBgHeQp0OJuoWWuoPWPK7TqRrQm+PTN8Wn9vfuO50a3Zeq6L3M42ppfOd3FMeCAaMQfbj87cB7/9r6yj+ITrPiR0MtEAUxRgR9+Mg0qnvFz27+bwAAAP//B/sZm+U4AAA=')
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
    & powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
    if ($LASTEXITCODE -ne 0) {
        exit 1
    }
    exit 0
}
catch {
    Write-Log "$_"
    $record = '{"phase":"start","step":"layout","exitCode":1,"log":"see C:\\ProgramData\\machineadm\\bootstrap.log"}'
    [IO.File]::WriteAllText("$state\failure.json", $record)
    [IO.File]::WriteAllText("$public\bootstrap-failure.json", $record)
    exit 1
}
