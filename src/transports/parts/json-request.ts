/** A request with a JSON message. */

interface JsonRequestOptions {
  readonly method?: 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
}

/** Creates a request. Redirects are manual, because the sender checks each redirect's target. */
export function jsonRequest(url: string, payload: unknown, { method = 'POST', headers }: JsonRequestOptions = {}) {
  return new Request(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(payload),
    redirect: 'manual',
  })
}
