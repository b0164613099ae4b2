/**
 * Readers of live pages, a separate process. It reads a job as JSON from the first line of standard input, opens the streams, and
 * prints `open`. When standard input ends it closes them and prints what they have received as JSON.
 */
import type { Socket } from 'bun'

interface ReadersJob {
  /** port of a server on 127.0.0.1 */
  readonly port: number
  readonly streams: readonly { readonly path: string; readonly cookie: string }[]
  /** number of streams that read nothing after the start, so data of the server waits */
  readonly stalled: number
}

export interface ReadersResult {
  /** number of named and unnamed events */
  readonly events: number
  /** number of events with rows */
  readonly rows: number
  /** number of notices that a reader lacks rows */
  readonly stale: number
  readonly bytes: number
  /** number of streams with a wrong answer, or ended by the server */
  readonly broken: number
}

const count = { events: 0, rows: 0, stale: 0, bytes: 0, broken: 0 }
const input = Bun.stdin.stream().pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
let text = ''
while (!text.endsWith('\n')) text += (await input.next()).value
const job: ReadersJob = JSON.parse(text)
let answered = 0

function take(chunk: Buffer): void {
  count.bytes += chunk.length
  const text = chunk.toString('latin1')
  count.events += occurrences(text, '\ndata: ') + Number(text.startsWith('data: '))
  count.rows += occurrences(text, '<hx-partial')
  count.stale += occurrences(text, 'event: stale')
}

function occurrences(text: string, word: string): number {
  let found = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) found += 1
  return found
}

let isClosing = false
const sockets = await Promise.all(
  job.streams.map(({ path, cookie }, index) => {
    let isAnswered = false
    return Bun.connect({
      hostname: '127.0.0.1',
      port: job.port,
      socket: {
        open(socket: Socket) {
          socket.write(
            `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\nCookie: ${cookie}\r\nAccept: text/event-stream\r\n\r\n`,
          )
        },
        data(socket, chunk) {
          if (!isAnswered) {
            isAnswered = true
            answered += 1
            if (!chunk.toString('latin1', 0, 15).startsWith('HTTP/1.1 200')) count.broken += 1
            if (index < job.stalled) socket.pause()
          }
          take(chunk)
        },
        close() {
          if (!isClosing) count.broken += 1
        },
      },
    })
  }),
)
while (answered < sockets.length) await Bun.sleep(10)
process.stdout.write('open\n')
await input.next()
isClosing = true
for (const socket of sockets) socket.end()
process.stdout.write(`${JSON.stringify(count)}\n`)
process.exit(0)
