/** Sends raw bytes to a server on this machine and reads its answers. No HTTP library corrects either. */
import { connect, type Socket } from 'node:net'
import { type Answer, answerReader } from './answers.ts'

/** Limit for an answer, far longer than any takes. */
const ANSWER_WITHIN_MS = 30_000

/** A keep-alive connection with one request at a time. It is opened again when the server has closed it. */
export interface Connection {
  /** @throws Error when there is no answer, or one that isn't HTTP */
  send(request: Uint8Array, isHead?: boolean): Promise<Answer>
  close(): void
}

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

export function keepAliveConnection(port: number): Connection {
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
        if (waiting === null || more.length > 0) throw new Error('an answer without a request')
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
      fail(new Error('the server closed the connection without an answer'))
    })
    return opened
  }

  return {
    send(request, expectsHead = false) {
      isHead = expectsHead
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
  /** whether the server has closed the connection */
  readonly isClosed: boolean
}

interface ExchangeOptions {
  /** after this time without data the answer counts as complete */
  readonly quietMs: number
  /** close the connection as soon as everything is sent, without reading */
  readonly breakOff?: boolean
}

/**
 * Sends any bytes over a new connection.
 * @param parts sent one after the other, in separate packets
 * @throws Error for bytes that aren't an HTTP answer
 */
export function exchange(
  port: number,
  parts: readonly Uint8Array[],
  { quietMs, breakOff }: ExchangeOptions,
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
    // Servers may reset a connection that sends nonsense.
    socket.on('error', () => {})
    socket.on('close', () => finish(true))
  })
}
