/** A small mail server without encryption, with replies chosen by the test. */
import { createServer, type Socket } from 'node:net'

export interface MailHost {
  readonly port: number
  /** text of each email after DATA, oldest first */
  readonly mails: readonly string[]
  close(): void
}

/** @param answers by the first word of a command, `250 OK` by default; `greeting` is the first line; '' for no answer */
export function openMailHost(answers: Readonly<Record<string, string>> = {}): Promise<MailHost> {
  const sockets = new Set<Socket>()
  const mails: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const say = (line: string) => line !== '' && socket.write(`${line}\r\n`)
    let mail: string[] | null = null
    let isChallenged = false
    say(answers.greeting ?? '220 mail.test ready')
    socket.on('data', (data) => {
      for (const line of String(data).split('\r\n').slice(0, -1)) {
        if (mail !== null && line !== '.') {
          mail.push(line)
          continue
        }
        if (mail !== null) mails.push(mail.join('\n'))
        mail = null
        const [word = ''] = line.split(/[ :]/)
        if (word === 'DATA' && answers.DATA === undefined) mail = []
        const answer = answers[isChallenged ? 'challenge' : word] ?? (word === 'DATA' ? '354 go on' : '250 OK')
        isChallenged = answer.startsWith('334')
        say(answer)
      }
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      const close = () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      }
      resolve({ port, mails, close })
    })
  })
}
