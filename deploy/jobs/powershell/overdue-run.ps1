<#
.SYNOPSIS
Runs a command and tells Overdue that it starts, what it prints and how it ends. README.md has the steps.
.PARAMETER Check
The slug or UUID of the check, or its ping URL. OVERDUE_CHECK by default.
.PARAMETER Create
The schedule of the check that the first ping makes; Tz and Grace are its time zone and grace time.
.PARAMETER Command
One command, as cmd.exe reads it.
#>
[CmdletBinding()]
param(
    [string] $Check = $env:OVERDUE_CHECK,
    [string] $Create,
    [string] $Tz,
    [string] $Grace,
    [Parameter(Mandatory = $true)] [string] $Command
)

$KeptCharacters = 50000
$UsualLimit = 100000
$Tries = 3

function Write-Problem([string] $Text) {
    [Console]::Error.WriteLine("overdue-run: $Text")
}

function Get-PingKey {
    if ($env:OVERDUE_PING_KEY) { return $env:OVERDUE_PING_KEY.Trim() }
    if ($env:OVERDUE_PING_KEY_FILE) { return (Get-Content -Raw -LiteralPath $env:OVERDUE_PING_KEY_FILE).Trim() }
    throw 'set OVERDUE_PING_KEY or OVERDUE_PING_KEY_FILE to ping a check by its slug'
}

function Get-CheckUrl {
    if (-not $Check) { throw 'no ping is sent: name a check with -Check or OVERDUE_CHECK' }
    if ($Check -match '^https?://') { return $Check.TrimEnd('/') }
    if (-not $env:OVERDUE_URL) { throw 'no ping is sent: OVERDUE_URL is not set' }
    $server = $env:OVERDUE_URL.TrimEnd('/')
    if ($Check -match '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$') { return "$server/ping/$Check" }
    return "$server/ping/$([Uri]::EscapeDataString((Get-PingKey)))/$Check"
}

function Get-Query {
    $query = "?rid=$([Guid]::NewGuid())"
    if ($Create) { $query += "&create=1&schedule=$([Uri]::EscapeDataString($Create))" }
    if ($Create -and $Tz) { $query += "&tz=$([Uri]::EscapeDataString($Tz))" }
    if ($Create -and $Grace) { $query += "&grace=$([Uri]::EscapeDataString($Grace))" }
    return $query
}

function New-Client {
    Add-Type -AssemblyName System.Net.Http
    # Windows PowerShell does not offer it by itself.
    [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
    $client = New-Object System.Net.Http.HttpClient
    $client.Timeout = [TimeSpan]::FromSeconds(4)
    $client.DefaultRequestHeaders.Add('User-Agent', 'overdue-run.ps1')
    return $client
}

# Begins to send a ping; the task has the answer.
function Start-Ping($Client, [string] $Address, [byte[]] $Body) {
    return $Client.PostAsync($Address, (New-Object System.Net.Http.ByteArrayContent (, $Body)))
}

# Sends a ping until the server has it or refuses it.
function Send-Ping($Client, [string] $Address, [byte[]] $Body) {
    for ($try = 1; $try -le $Tries; $try++) {
        if ($try -gt 1) { Start-Sleep -Seconds 1 }
        try {
            $answer = (Start-Ping $Client $Address $Body).GetAwaiter().GetResult()
            $status = [int] $answer.StatusCode
            if ($status -ge 200 -and $status -lt 300) { return }
            $reason = "the server answered $status"
            if ($status -ge 400 -and $status -lt 500 -and $status -ne 408 -and $status -ne 429) { break }
        } catch {
            $reason = $_.Exception.GetBaseException().Message
        }
    }
    Write-Problem "a ping did not arrive: $reason"
}

# Waits for the answer to the start, because a start that arrives after the end would look like another run. Returns the bytes
# that the server keeps of an output.
function Wait-Start($Task) {
    try {
        $values = $null
        $answer = $Task.GetAwaiter().GetResult()
        if ($answer.Headers.TryGetValues('Ping-Body-Limit', [ref] $values)) { return [Math]::Min([int] @($values)[0], $UsualLimit) }
    } catch {
        Write-Problem "the start did not arrive: $($_.Exception.GetBaseException().Message)"
    }
    return $UsualLimit
}

# Runs the command, passes on its output, and keeps the beginning and the end of the output.
function Invoke-Job {
    $start = New-Object System.Diagnostics.ProcessStartInfo
    $start.FileName = $env:ComSpec
    $start.Arguments = '/d /s /c "' + $Command + ' 2>&1"'
    $start.UseShellExecute = $false
    $start.RedirectStandardOutput = $true
    $process = [System.Diagnostics.Process]::Start($start)
    $head = New-Object System.Text.StringBuilder
    $tail = New-Object System.Text.StringBuilder
    while ($null -ne ($line = $process.StandardOutput.ReadLine())) {
        [Console]::Out.WriteLine($line)
        if ($tail.Length -eq 0 -and $head.Length + $line.Length -lt $KeptCharacters) {
            [void] $head.Append($line).Append("`n")
            continue
        }
        [void] $tail.Append($line).Append("`n")
        # Half is dropped at a time, so that each line costs little.
        if ($tail.Length -gt 2 * $KeptCharacters) { [void] $tail.Remove(0, $tail.Length - $KeptCharacters) }
    }
    $process.WaitForExit()
    return @{ Status = $process.ExitCode; Output = $head.ToString() + $tail.ToString() }
}

# The bytes of an output, without its middle if they are more than the limit.
function Limit-Output([string] $Text, [int] $Limit) {
    $bytes = [Text.Encoding]::UTF8.GetBytes($Text)
    if ($bytes.Length -le $Limit) { return , $bytes }
    $mark = [Text.Encoding]::UTF8.GetBytes("`n[overdue-run: left out here]`n")
    $half = [int] [Math]::Floor(($Limit - $mark.Length) / 2)
    if ($half -le 0) { return , (New-Object byte[] 0) }
    $kept = New-Object byte[] (2 * $half + $mark.Length)
    [Array]::Copy($bytes, 0, $kept, 0, $half)
    [Array]::Copy($mark, 0, $kept, $half, $mark.Length)
    [Array]::Copy($bytes, $bytes.Length - $half, $kept, $half + $mark.Length, $half)
    return , $kept
}

$url = $null
try {
    $url = Get-CheckUrl
    $query = Get-Query
    $client = New-Client
    $task = Start-Ping $client "$url/start$query" (New-Object byte[] 0)
} catch {
    # The command runs, whatever is missing.
    $url = $null
    Write-Problem $_.Exception.Message
}
$job = Invoke-Job
if ($url) {
    $limit = Wait-Start $task
    $action = $job.Status
    $output = $job.Output
    # A ping takes 0 to 255, and Windows has more.
    if ($action -lt 0 -or $action -gt 255) {
        $output += "overdue-run: the command ended with $action`n"
        $action = 'fail'
    }
    Send-Ping $client "$url/$action$query" (Limit-Output $output $limit)
}
exit $job.Status
