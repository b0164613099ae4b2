/** A request with a message in JSON. */

interface JsonRequestOptions {
  readonly method?: 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
}

/** Creates a request. Redirects are manual, because the sender checks the target of each one. */
export function jsonRequest(url: string, payload: unknown, { method = 'POST', headers }: JsonRequestOptions = {}) {
  return new Request(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(payload),
    redirect: 'manual',
  })
}
