/**
 * Snippets for programs in which the job is a function. Their timeouts apply to an entire ping rather than to each packet in the response,
 * so a ping takes at most ten seconds.
 */
import { OUTPUT_BYTES } from '../../../../domain/ping/curl.ts'
import type { SnippetWriter } from './snippet.ts'

/** urllib's timeout restarts with each packet, so the snippet uses a thread to limit the total time. */
export const python: SnippetWriter = (url) => `import sys, threading, traceback, urllib.request

URL = "${url}"

def ping(ending, text=""):
    def send():
        try:
            body = str(text).encode(errors="replace")[-${OUTPUT_BYTES}:]
            request = urllib.request.Request(URL + ending, body, {"Content-Type": "text/plain"})
            urllib.request.urlopen(request, timeout=9).close()
        except Exception as error:
            print("The ping failed:", error, file=sys.stderr)
    thread = threading.Thread(target=send, daemon=True)
    thread.start()
    thread.join(10)
    if thread.is_alive():
        print("The ping failed: it took more than 10 seconds", file=sys.stderr)

ping("/start")
ending, text = "", ""
try:
    text = run_the_job()   # the text that it returns is sent along
except BaseException as error:
    ending = "" if isinstance(error, SystemExit) and not error.code else "/fail"
    text = traceback.format_exc()
    raise
finally:
    ping(ending, text or "")`

export const node: SnippetWriter = (url) => `const url = '${url}'

async function ping(ending, text) {
  try {
    const body = Buffer.from(String(text ?? '')).subarray(-${OUTPUT_BYTES}).toString()
    const headers = { 'content-type': 'text/plain' }
    const answer = await fetch(url + ending, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
    await answer.text()
    if (!answer.ok) throw new Error(\`status \${answer.status}\`)
  } catch (error) {
    console.error('The ping failed:', error)
  }
}

await ping('/start')
let text
try {
  text = await runTheJob()   // the text that it returns is sent along
} catch (error) {
  await ping('/fail', error?.stack ?? error)
  throw error
}
await ping('', text)`

export const go: SnippetWriter = (url) => `const url = "${url}"

func ping(ending, text string) {
	client := http.Client{Timeout: 10 * time.Second}
	body := strings.NewReader(text[max(0, len(text)-${OUTPUT_BYTES}):])
	response, err := client.Post(url+ending, "text/plain", body)
	if err == nil {
		response.Body.Close()
		if response.StatusCode >= 300 {
			err = errors.New(response.Status)
		}
	}
	if err != nil {
		log.Print("The ping failed: ", err)
	}
}

// watched pings when the job ends, also if it panics. The text that it returns is sent along.
func watched(job func() (string, error)) (err error) {
	ping("/start", "")
	ending, text := "/fail", "The job panicked."
	defer func() { ping(ending, text) }()
	text, err = job()
	if err == nil {
		ending = ""
	} else {
		text += "\\n" + err.Error()
	}
	return err
}`

export const php: SnippetWriter = (url) => `<?php
function ping($ending, $text = '') {
    try {
        $curl = curl_init('${url}' . $ending);   // of the package php-curl
        curl_setopt_array($curl, [
            CURLOPT_POSTFIELDS => substr((string) $text, -${OUTPUT_BYTES}),
            CURLOPT_HTTPHEADER => ['Content-Type: text/plain'],
            CURLOPT_TIMEOUT => 10,
            CURLOPT_FAILONERROR => true,
            CURLOPT_FOLLOWLOCATION => true,
            CURLOPT_RETURNTRANSFER => true,
        ]);
        if (curl_exec($curl) === false) throw new Exception(curl_error($curl));
    } catch (Throwable $error) {
        error_log('The ping failed: ' . $error->getMessage());
    }
}

ping('/start');
try {
    $text = run_the_job();   // the text that it returns is sent along
} catch (Throwable $error) {
    ping('/fail', $error);
    throw $error;
}
ping('', $text);`

/** Net::HTTP's timeouts restart with each packet, so the snippet limits the total time. */
export const ruby: SnippetWriter = (url) => `require "net/http"
require "timeout"

URL = "${url}"

def ping(ending, text = "")
  body = text.to_s.b
  body = body[-${OUTPUT_BYTES}..] || body
  Timeout.timeout(10) { Net::HTTP.post(URI(URL + ending), body, "Content-Type" => "text/plain").value }
rescue StandardError => error
  warn "The ping failed: #{error.message}"
end

ping("/start")
begin
  text = run_the_job   # the text that it returns is sent along
rescue Exception => error
  is_success = error.is_a?(SystemExit) && error.success?
  ping(is_success ? "" : "/fail", error.full_message(highlight: false))
  raise
end
ping("", text)`

export const csharp: SnippetWriter = (url) => `using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };

async Task Ping(string ending, string? text = null)
{
    try
    {
        text ??= "";
        var body = new StringContent(text[Math.Max(0, text.Length - ${OUTPUT_BYTES / 2})..]);
        using var answer = await client.PostAsync("${url}" + ending, body);
        answer.EnsureSuccessStatusCode();
    }
    catch (Exception error)
    {
        Console.Error.WriteLine($"The ping failed: {error.Message}");
    }
}

await Ping("/start");
string? text;
try
{
    text = RunTheJob();   // the text that it returns is sent along
}
catch (Exception error)
{
    await Ping("/fail", error.ToString());
    throw;
}
await Ping("", text);`
