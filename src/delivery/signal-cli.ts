/** Calls a signal-cli daemon through JSON-RPC 2.0, with one message per line and one call per connection. */
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import type { SignalAnswer, SignalCall, SignalCaller } from '../domain/carrier/signal-cli.ts'

interface SignalCallerOptions {
  /** Time limit in seconds for the connection and the answer together; 60 by default. */
  readonly timeoutSeconds?: number
}

/**
 * Maximum length of a line in UTF-16 units. The daemon also forwards messages that its account receives from other people. They are
 * ignored.
 */
const LINE_LIMIT = 1024 * 1024

/** Creates a caller. The operator sets the daemon's address, so private addresses are allowed. */
export function createSignalCaller({ timeoutSeconds = 60 }: SignalCallerOptions = {}): SignalCaller {
  return (call) =>
    new Promise((resolve) => {
      const end = (answer: SignalAnswer) => {
        clearTimeout(timer)
        socket?.destroy()
        resolve(answer)
      }
      const timer = setTimeout(() => end(unreachable('signal-cli did not answer in time')), timeoutSeconds * 1000)
      let socket: Socket | null = null
      try {
        socket = connect(addressOf(call.socket))
        converse(socket, call, end)
      } catch {
        end(unreachable('SIGNAL_CLI_SOCKET is not a valid address'))
      }
    })
}

function unreachable(error: string): SignalAnswer {
  return { kind: 'unreachable', error }
}

/** Parses a daemon's address. Any text that is not `host:port` is the path of a socket. */
function addressOf(text: string): NetConnectOpts {
  const [, literal, name, port] = /^(?:\[([^\]/]+)\]|([^:/]+)):(\d+)$/.exec(text) ?? []
  const host = literal ?? name
  return host === undefined ? { path: text } : { host, port: Number(port) }
}

function converse(socket: Socket, { id, method, params }: SignalCall, end: (answer: SignalAnswer) => void): void {
  let isConnected = false
  let rest = ''
  // Joins the bytes of a character that is split between chunks.
  socket.setEncoding('utf8')
  socket.on('connect', () => {
    isConnected = true
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  })
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const answer = lines.map((line) => answerIn(line, id)).find((found) => found !== null)
    if (answer) end(answer)
    else if (rest.length > LINE_LIMIT) end(unreachable('the answer of signal-cli is too long'))
  })
  const broken = () => end(unreachable(isConnected ? 'signal-cli closed the connection' : 'Could not reach signal-cli'))
  socket.on('error', broken)
  socket.on('close', broken)
}

/** Returns null for any line that is not the answer: notifications, which have no id, answers to other calls, and invalid JSON. */
function answerIn(line: string, id: string): SignalAnswer | null {
  const message = parse(line)
  if (typeof message !== 'object' || message === null || !('id' in message)) return null
  const answer = {
    ...('result' in message && { result: message.result }),
    ...('error' in message && { error: message.error }),
  }
  // An error without an id refers to an unreadable request. This connection sent only one request.
  const isOurs = message.id === id || (message.id === null && answer.error !== undefined)
  return isOurs ? { kind: 'answered', ...answer } : null
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
