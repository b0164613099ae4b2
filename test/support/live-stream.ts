/** A page's stream as a browser reads it. */
import type { Browser } from './browser.ts'
import type { TestApp } from './test-app.ts'

interface ReceivedEvent {
  /** `message` unless it has a name */
  readonly event: string
  readonly id: string | null
  readonly data: string
}

export interface LiveStream {
  /** Returns the events since the last call, after waiting until the stream is quiet. */
  take(): Promise<ReceivedEvent[]>
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  /** Closes the stream as a browser does. */
  leave(): Promise<void>
}

export async function openStream(
  t: TestApp,
  browser: Browser,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<LiveStream> {
  const answer = await browser.ask('GET', path, headers)
  if (answer.status !== 200 || !answer.body) throw new Error(`${path} was answered with ${answer.status}`)
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
    }
  })()
  return {
    async take() {
      await t.app.deps.live.tick()
      await settled(t, () => text.length)
      const events = parse(text)
      text = ''
      return events
    },
    ended: reading,
    leave: () => reader.cancel(),
  }
}

/**
 * Waits until no event arrives any more. Events pass the steps of the stream in later turns of the event loop, reads of the store, and long
 * work in steps.
 */
async function settled(t: TestApp, length: () => number): Promise<void> {
  let before = -1
  for (let quiet = 0; quiet < 60; quiet += 1) {
    if (length() !== before || t.pendingCalls() > 0) quiet = 0
    before = length()
    await t.app.deps.eventLoop.step(() => new Promise((resolve) => setImmediate(resolve)))
  }
}

function parse(text: string): ReceivedEvent[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && block !== ':')
  return blocks.map((block) => {
    const values = (field: string) =>
      block
        .split('\n')
        .filter((line) => line.startsWith(`${field}: `))
        .map((line) => line.slice(field.length + 2))
    return { event: values('event')[0] ?? 'message', id: values('id')[0] ?? null, data: values('data').join('\n') }
  })
}
