/** Follows the dialogue with a mail server in the library's log. Records its progress, and its lines without credentials. */

/** A step of the mail server: its greeting, its answer to a command, or its confirmation of a complete email. */
type Step = 'greeting' | 'EHLO' | 'STARTTLS' | 'login' | 'MAIL FROM' | 'RCPT TO' | 'DATA' | 'email' | 'command'

export interface Progress {
  /** true if the connection is open and, with implicit TLS, encrypted */
  readonly isConnected: boolean
  /** true if the connection was open and has been closed */
  readonly isClosed: boolean
  /** last step that the server completed; null if there is none */
  readonly done: Step | null
  /** next step that is expected from the server; null if none is expected */
  readonly awaited: Step | null
}

/** The dialogue with a mail server over one connection. */
export interface Dialogue {
  readonly logger: ReturnType<typeof loggerTo>
  readonly progress: () => Progress
}

/** @param onLine called with each line, prefixed with `C: ` or `S: ` */
export function createDialogue(onLine: (line: string) => void = () => {}): Dialogue {
  let [isConnected, isClosed] = [false, false]
  let done: Step | null = null
  /** commands that have no answer yet; with PIPELINING there may be several */
  let awaited: Step[] = []
  let isChallenged = false
  const write = (who: string, text: string) => {
    for (const line of text.split(/\r?\n/)) onLine(`${who}: ${line}`)
  }
  const onServer = (text: string) => {
    isChallenged = text.startsWith('334')
    if (!isChallenged) done = awaited.shift() ?? done
    if (text.startsWith('354')) awaited.unshift('email')
    write('S', text)
  }
  const onClient = (text: string) => {
    if (!isChallenged) awaited.push(stepOf(text))
    write('C', isChallenged ? '(hidden)' : text.replace(/^(AUTH \S+) .*/is, '$1 (hidden)'))
  }
  const onEntry = ({ tnx, remoteAddress }: Entry, text: unknown) => {
    if (tnx === 'server') onServer(String(text))
    else if (tnx === 'client') onClient(String(text))
    else if (tnx === 'dns') [isConnected, isClosed, done, awaited] = [false, false, null, []]
    else if (remoteAddress !== undefined) [isConnected, done, awaited] = [true, null, ['greeting']]
    else if (tnx === 'network') isClosed = true
  }
  return { logger: loggerTo(onEntry), progress: () => ({ isConnected, isClosed, done, awaited: awaited[0] ?? null }) }
}

interface Entry {
  readonly tnx?: string
  /** address of the remote side of a new connection */
  readonly remoteAddress?: string
}

function loggerTo(log: (entry: Entry, text: unknown) => void) {
  const ignore = () => {}
  return { trace: ignore, debug: log, info: log, warn: ignore, error: ignore, fatal: ignore }
}

function stepOf(command: string): Step {
  const [word = ''] = command.toUpperCase().split(/[ :]/, 1)
  switch (word) {
    case 'EHLO':
    case 'HELO':
      return 'EHLO'
    case 'AUTH':
      return 'login'
    case 'MAIL':
      return 'MAIL FROM'
    case 'RCPT':
      return 'RCPT TO'
    case 'STARTTLS':
    case 'DATA':
      return word
    default:
      return 'command'
  }
}
