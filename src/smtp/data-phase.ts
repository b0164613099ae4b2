/**
 * Replaces the DATA phase and the envelope parser of the library's server. For every line that begins with two dots, the library waits for
 * the event loop and writes to a stream, which takes a second of CPU time per megabyte of such lines.
 */
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection'
import type { SMTPStream } from 'smtp-server/lib/smtp-stream'
import type { EventLoopBudget } from '../lib/work/event-loop-budget.ts'
import { DataDecoder } from './data-decoder.ts'
import { readPath } from './path.ts'

type Parse = SMTPConnection['_parseAddressCommand']
type Feed = SMTPStream['_feedDataStream']

/** Control characters and invisible characters. The library rejects them too, because they could forge a log line. */
const UNSAFE = /[\p{Cc}\u200B\u2060\uFEFF]/u

export class MailServer extends SMTPServer {
  /** @param budget limits how many chunks from fast clients are processed in one turn of the event loop */
  constructor(
    options: SMTPServerOptions,
    readonly budget: EventLoopBudget,
  ) {
    super(options)
  }

  /** Does the same as the library's method, but uses this file's connection class. */
  override connect(...[socket, options]: Parameters<SMTPServer['connect']>): void {
    const connection = new MailConnection(this, socket, options)
    this.connections.add(connection)
    connection.on('error', (error) => this._onError(error))
    connection.on('connect', (data) => this._onClientConnect(data))
    connection.init()
  }
}

class MailConnection extends SMTPConnection {
  /** Accepts any client name (RFC 5321, 4.1.4), even an empty one. The server does not use the name. */
  override handler_HELO(_command: Buffer, done: () => void): void {
    super.handler_HELO(Buffer.from('HELO client'), done)
  }

  override handler_EHLO(_command: Buffer, done: () => void): void {
    super.handler_EHLO(Buffer.from('EHLO client'), done)
  }

  /**
   * Accepts any sender, even one without a domain. The sender only appears in the log, and no reply is sent to it. Recipients must be valid
   * addresses.
   */
  override _parseAddressCommand(name: string, line: Buffer | string): ReturnType<Parse> {
    const command = name === 'mail from' ? 'MAIL FROM' : 'RCPT TO'
    const path = readPath(line.toString(), command)
    if (path === null) return false
    const { address, parameters } = path
    if (command === 'RCPT TO') return super._parseAddressCommand(name, `${command}:<${address}> ${parameters}`)
    const parsed = UNSAFE.test(address) ? false : super._parseAddressCommand(name, `${command}:<> ${parameters}`)
    return parsed && { ...parsed, address }
  }

  override _createParser(): SMTPStream {
    const parser = super._createParser()
    parser._feedDataStream = createFeed(parser, (this._server as MailServer).budget)
    return parser
  }
}

/** Replaces the library's method and keeps its contract: what it counts, when it ends and when it waits. */
function createFeed(parser: SMTPStream, budget: EventLoopBudget): Feed {
  const decoders = new WeakMap<object, DataDecoder>()
  const feed: Feed = (chunk, done) => {
    const stream = parser._dataStream
    if (stream === null) return done()
    const decoder = decoders.get(stream) ?? new DataDecoder()
    decoders.set(stream, decoder)
    const { bytes, rest } = decoder.decode(chunk)
    parser._countDataBytes(bytes.length)
    if (rest !== null) return parser._endDataMode(bytes, rest, done)
    if (bytes.length === 0 || !stream.writable || stream.write(bytes)) return done()
    const resume = () => {
      stream.off('drain', resume)
      stream.off('close', resume)
      done()
    }
    stream.on('drain', resume)
    stream.on('close', resume)
  }
  return (chunk, done) => void budget.available().then(() => feed(chunk, done))
}
