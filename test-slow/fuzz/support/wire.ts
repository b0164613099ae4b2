/** Bytes to a server on this machine and its answers back, with nothing in between that would put them right. */
import { connect, type Socket } from 'node:net'
import { type Answer, answerReader } from './answers.ts'

/** Far more than any answer takes; one that does not come by then does not come. */
const ANSWER_WITHIN_MS = 30_000

/** A connection that is kept, with one request on the way at a time; made anew when the server has closed it. */
export interface Line {
  /** @throws Error when there is no answer, or one that is no HTTP */
  ask(request: Uint8Array, isHead?: boolean): Promise<Answer>
  close(): void
}

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

export function keptLine(port: number): Line {
  let socket: Socket | null = null
  let isHead = false
  let waiting: Waiting | null = null

  const settle = (settling: (waiting: Waiting) => void) => {
    const ended = waiting
    waiting = null
    if (ended) settling(ended)
  }
  const open = (): Socket => {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true })
    const reader = answerReader(() => isHead)
    const fail = (error: Error) => {
      if (socket !== opened) return
      opened.destroy()
      socket = null
      settle(({ reject }) => reject(error))
    }
    opened.on('data', (bytes: Buffer) => {
      try {
        const [answer, ...more] = reader.read(bytes)
        if (answer === undefined) return
        if (waiting === null || more.length > 0) throw new Error('an answer that nobody asked for')
        if (answer.headers.get('connection')?.toLowerCase() === 'close') {
          socket = null
          opened.destroy()
        }
        settle(({ resolve }) => resolve(answer))
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)))
      }
    })
    opened.on('error', fail)
    opened.on('close', () => {
      const last = socket === opened ? reader.end() : null
      if (last) settle(({ resolve }) => resolve(last))
      fail(new Error('the server hung up without an answer'))
    })
    return opened
  }

  return {
    ask(request, asksHead = false) {
      isHead = asksHead
      socket ??= open()
      const used = socket
      return new Promise<Answer>((resolve, reject) => {
        const late = setTimeout(() => {
          if (socket === used) socket = null
          used.destroy()
          settle(({ reject }) => reject(new Error(`no answer within ${ANSWER_WITHIN_MS / 1000} seconds`)))
        }, ANSWER_WITHIN_MS)
        waiting = {
          resolve: (answer) => {
            clearTimeout(late)
            resolve(answer)
          },
          reject: (error) => {
            clearTimeout(late)
            reject(error)
          },
        }
        used.write(request)
      })
    },
    close() {
      const closing = socket
      socket = null
      closing?.destroy()
    },
  }
}

export interface Exchange {
  readonly answers: readonly Answer[]
  /** the server has closed the connection */
  readonly isClosed: boolean
}

export interface Manners {
  /** so long nothing has come, and the server is thought to have said all */
  readonly quietMs: number
  /** hang up as soon as all is sent, without listening */
  readonly breakOff?: boolean
}

/**
 * A connection of its own for bytes of any kind.
 * @param parts sent one after the other, in packets of their own
 * @throws Error for bytes that are no answer
 */
export function exchange(
  port: number,
  parts: readonly Uint8Array[],
  { quietMs, breakOff }: Manners,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const reader = answerReader()
    const answers: Answer[] = []
    let quiet: ReturnType<typeof setTimeout> | undefined
    const finish = (isClosed: boolean) => {
      clearTimeout(quiet)
      socket.destroy()
      try {
        const last = isClosed ? reader.end() : null
        if (last) answers.push(last)
        resolve({ answers, isClosed })
      } catch (error) {
        reject(error)
      }
    }
    const listen = () => {
      clearTimeout(quiet)
      quiet = setTimeout(() => finish(false), quietMs)
    }
    socket.on('connect', async () => {
      for (const part of parts) {
        socket.write(part)
        await new Promise((sent) => setImmediate(sent))
      }
      if (breakOff) finish(false)
      else listen()
    })
    socket.on('data', (bytes: Buffer) => {
      try {
        answers.push(...reader.read(bytes))
        listen()
      } catch (error) {
        clearTimeout(quiet)
        socket.destroy()
        reject(error)
      }
    })
    // What a server does that is sent nonsense.
    socket.on('error', () => {})
    socket.on('close', () => finish(true))
  })
}
