/** Returns a port of 127.0.0.1 that was free a moment ago, for programs that need a number. */
export function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  listener.stop(true)
  return listener.port
}
