# Functions for the network.

# Returns the first IPv4 address of the interface with the best default route, which is not that of a network of
# containers. Windows may not have configured its network yet.
function Get-PrivateIPv4 {
    for ($attempt = 1; $attempt -lt 30; $attempt++) {
        $route = Get-NetRoute -AddressFamily IPv4 -DestinationPrefix '0.0.0.0/0' -ErrorAction SilentlyContinue |
            Sort-Object -Property { $_.RouteMetric + $_.InterfaceMetric } | Select-Object -First 1
        if ($route) {
            $address = Get-NetIPAddress -AddressFamily IPv4 -InterfaceIndex $route.InterfaceIndex |
                Select-Object -First 1
            return $address.IPAddress
        }
        Start-Sleep -Seconds 2
    }
}
