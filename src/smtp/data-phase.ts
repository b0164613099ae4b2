/**
 * The library's server with our own DATA phase. For every line that begins with two dots, the library waits for the event
 * loop and writes to a stream, which takes a second of CPU time per megabyte of such lines.
 */
import { SMTPServer } from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection'
import type { SMTPStream } from 'smtp-server/lib/smtp-stream'
import { DataDecoder } from './data-decoder.ts'

type Feed = SMTPStream['_feedDataStream']

export class MailServer extends SMTPServer {
  /** Like the library's method, but with our connection class. */
  override connect(...[socket, options]: Parameters<SMTPServer['connect']>): void {
    const connection = new MailConnection(this, socket, options)
    this.connections.add(connection)
    connection.on('error', (error) => this._onError(error))
    connection.on('connect', (data) => this._onClientConnect(data))
    connection.init()
  }
}

class MailConnection extends SMTPConnection {
  override _createParser(): SMTPStream {
    const parser = super._createParser()
    parser._feedDataStream = createFeed(parser)
    return parser
  }
}

/** Replaces the library's method and keeps its contract: what it counts, when it ends, and when it waits. */
function createFeed(parser: SMTPStream): Feed {
  const decoders = new WeakMap<object, DataDecoder>()
  return (chunk, done) => {
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
}
