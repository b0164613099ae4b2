/** A server that speaks the protocol of PostgreSQL and refuses everybody. */

/**
 * Accepts connections, and ends each one with this error at its first message.
 * @param code SQLSTATE
 * @param port of 127.0.0.1; a free one by default
 */
export function refusingServer(code: string, message: string, port = 0) {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`
  const length = Buffer.alloc(4)
  length.writeUInt32BE(fields.length + 4)
  const answer = Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)])
  const socket = { data: (client: Bun.Socket) => void client.end(answer) }
  const listener = Bun.listen({ hostname: '127.0.0.1', port, socket })
  return { port: listener.port, [Symbol.dispose]: () => listener.stop(true) }
}
