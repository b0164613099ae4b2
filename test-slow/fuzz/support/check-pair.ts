/** Two checks for one test at a time: one is pinged by a request, the other by a request smuggled in behind it. */
import { type Connection, keepAliveConnection } from './connection.ts'

interface Pings {
  readonly outer: number
  readonly inner: number
}

export interface CheckPair {
  /** the path `/ping/…` of the outer request */
  readonly outer: string
  /** a complete request that pings the other check */
  readonly inner: string
  pings(): Promise<Pings>
  readonly connection: Connection
}

export async function createCheckPair(baseUrl: string, apiKey: string): Promise<CheckPair> {
  const connection = keepAliveConnection(Number(new URL(baseUrl).port))
  const ask = async <Json>(method: string, path: string): Promise<Json> => {
    const head = `${method} /api/v3/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ${apiKey}\r\nContent-Length: 0\r\n\r\n`
    const { status, body } = await connection.send(Buffer.from(head))
    if (status > 201) throw new Error(`the server refused a plain request: ${status} ${body}`)
    return JSON.parse(body.toString())
  }
  const make = async () => (await ask<{ uuid: string }>('POST', 'checks/')).uuid
  const outer = await make()
  const inner = await make()
  const count = async (id: string) => (await ask<{ n_pings: number }>('GET', `checks/${id}`)).n_pings
  return {
    outer: `/ping/${outer}`,
    inner: `GET /ping/${inner} HTTP/1.1\r\nHost: x\r\n\r\n`,
    connection,
    pings: async () => ({ outer: await count(outer), inner: await count(inner) }),
  }
}
