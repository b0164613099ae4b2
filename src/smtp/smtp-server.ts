/**
 * The library's server with a data phase of our own: the library turns to the event loop and writes to a stream at every
 * line that begins with two dots, which costs a second of processor for each megabyte of them.
 */
import { SMTPServer } from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection'
import type { SMTPStream } from 'smtp-server/lib/smtp-stream'
import { DataDecoder } from './data-decoder.ts'

type Feed = SMTPStream['_feedDataStream']

export class MailServer extends SMTPServer {
  /** As the library's own, but for the class of the connection. */
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

/** Takes the place of the library's method, and keeps its promises: what it counts, when it ends, when it waits. */
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
    const goOn = () => {
      stream.off('drain', goOn)
      stream.off('close', goOn)
      done()
    }
    stream.on('drain', goOn)
    stream.on('close', goOn)
  }
}
