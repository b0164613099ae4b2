/** A network between the server and PostgreSQL that a test can slow down, and that can lose everything sent over it. */
import { connect, createServer, type Socket } from 'node:net'

/** Address of PostgreSQL: a port of this machine, or the path of its socket. */
type Listening = { readonly host: string; readonly port: number } | { readonly path: string }

interface Network {
  /** port of 127.0.0.1 for clients */
  readonly port: number
  /**
   * Loses everything that is sent from now on, even the end of a connection, so neither side learns of it. New connections are accepted and
   * get no answer. Connections that exist now or are opened before {@link mend} stay like that, as behind a firewall that has forgotten
   * them.
   */
  lose(): void
  /** Makes new connections work again. */
  mend(): void
  /** Delays everything that is sent from now on, in each direction. */
  delay(ms: number): void
  close(): Promise<void>
}

export async function openNetwork(to: Listening): Promise<Network> {
  const connections = new Set<Connection>()
  let isLosing = false
  let delayMs = 0
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const connection = join(client, connect({ ...to, allowHalfOpen: true }), () => delayMs)
    if (isLosing) connection.lose()
    connections.add(connection)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the network has no port')
  return {
    port: address.port,
    lose() {
      isLosing = true
      for (const connection of connections) connection.lose()
    },
    mend() {
      isLosing = false
    },
    delay(ms) {
      delayMs = ms
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const connection of connections) connection.destroy()
      await closed
    },
  }
}

interface Connection {
  lose(): void
  destroy(): void
}

function join(client: Socket, database: Socket, delayMs: () => number): Connection {
  let isLost = false
  const destroy = () => {
    client.destroy()
    database.destroy()
  }
  const carry = (from: Socket, to: Socket) => {
    let lastAt = 0
    /** Runs work later, in order, even when the delay becomes shorter. */
    const later = (work: () => void) => {
      if (isLost) return
      const now = performance.now()
      if (delayMs() === 0 && lastAt <= now) return work()
      lastAt = Math.max(lastAt, now + delayMs())
      setTimeout(() => isLost || work(), lastAt - now)
    }
    from.on('data', (bytes) => later(() => to.write(bytes)))
    from.on('end', () => later(() => to.end()))
    // A reset connection cannot carry anything more either way.
    from.on('error', () => isLost || destroy())
  }
  carry(client, database)
  carry(database, client)
  return {
    lose() {
      isLost = true
    },
    destroy,
  }
}
