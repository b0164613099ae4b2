/** Two checks that nobody else pings: one for a request, one for what may be smuggled in behind it. */
import { keptLine, type Line } from './wire.ts'

export interface Pings {
  readonly outer: number
  readonly inner: number
}

export interface Lane {
  /** `/ping/…` of the request itself */
  readonly outer: string
  /** a whole request that pings the other check */
  readonly inner: string
  pings(): Promise<Pings>
  readonly line: Line
}

export async function openLane(baseUrl: string, apiKey: string): Promise<Lane> {
  const line = keptLine(Number(new URL(baseUrl).port))
  const ask = async <Json>(method: string, path: string): Promise<Json> => {
    const head = `${method} /api/v3/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ${apiKey}\r\nContent-Length: 0\r\n\r\n`
    const { status, body } = await line.ask(Buffer.from(head))
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
    line,
    pings: async () => ({ outer: await count(outer), inner: await count(inner) }),
  }
}
