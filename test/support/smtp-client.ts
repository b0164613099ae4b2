/** An SMTP client that sends exactly the given text, and returns every reply. */
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export interface SmtpClient {
  /** Returns the next reply, with `\n` between its lines. @throws Error when the server closes the connection instead */
  answer(): Promise<string>
  /** Sends a line and waits for the reply. */
  say(line: string): Promise<string>
  /** Sends text or bytes unchanged. */
  write(data: string | Uint8Array): void
  /** Sends EHLO, MAIL, RCPT and DATA. @returns the last reply, 354 on success */
  begin(...recipients: readonly string[]): Promise<string>
  /** Sends an email. @returns the reply to the message, or to the recipient when that is refused */
  mail(message: string | Uint8Array, ...recipients: readonly string[]): Promise<string>
  /** Returns the client over TLS, after STARTTLS was accepted; trusts any certificate. */
  secured(): Promise<SmtpClient>
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>
  close(): void
}

/** Connects and waits for the greeting. */
export async function smtpClient(port: number): Promise<SmtpClient> {
  const client = talk(connectPlain(port, '127.0.0.1'))
  await client.answer()
  return client
}

/** Doubles dots at the start of lines and adds the final dot (RFC 5321, 4.5.2). */
export function stuffed(message: string | Uint8Array): Uint8Array {
  const text = Buffer.from(message).toString('latin1').replace(/^\./gm, '..')
  const end = text === '' || text.endsWith('\r\n') ? '.\r\n' : '\r\n.\r\n'
  return Buffer.from(`${text}${end}`, 'latin1')
}

function talk(socket: Socket): SmtpClient {
  const answers: string[] = []
  const waiting: { resolve: (answer: string) => void; reject: (error: Error) => void }[] = []
  let received = ''
  let isOver = false
  const ended = Promise.withResolvers<void>()
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1')
    for (let match = ANSWER.exec(received); match; match = ANSWER.exec(received)) {
      received = received.slice(match[0].length)
      const answer = match[0].trimEnd().replaceAll('\r\n', '\n')
      const next = waiting.shift()
      if (next) next.resolve(answer)
      else answers.push(answer)
    }
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    isOver = true
    for (const { reject } of waiting.splice(0)) reject(new Error('the server hung up'))
    ended.resolve()
  })
  const client: SmtpClient = {
    closed: ended.promise,
    answer() {
      const next = answers.shift()
      if (next !== undefined) return Promise.resolve(next)
      if (isOver) return Promise.reject(new Error('the server hung up'))
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    say(line) {
      socket.write(`${line}\r\n`)
      return client.answer()
    },
    write: (data) => void socket.write(data),
    async begin(...recipients) {
      await client.say('EHLO test')
      await client.say('MAIL FROM:<job@example.org>')
      for (const recipient of recipients) {
        const answer = await client.say(`RCPT TO:<${recipient}>`)
        if (!answer.startsWith('250') && recipients.length === 1) return answer
      }
      return client.say('DATA')
    },
    async mail(message, ...recipients) {
      const answer = await client.begin(...recipients)
      if (!answer.startsWith('354')) return answer
      socket.write(stuffed(message))
      return client.answer()
    },
    async secured() {
      socket.removeAllListeners('data')
      const secure = connectTls({ socket, rejectUnauthorized: false })
      await new Promise((resolve, reject) => secure.once('secureConnect', resolve).once('error', reject))
      return talk(secure)
    },
    close: () => void socket.destroy(),
  }
  return client
}

/** All lines of a reply but the last have a hyphen after the code. */
const ANSWER = /^(?:\d{3}-[^\r\n]*\r\n)*\d{3}(?: [^\r\n]*)?\r\n/
