/**
 * The load generator, a process of its own: raw sockets, request bytes built beforehand, and just enough parsing to
 * be sure that every answer is a whole `200 OK`. Reads a job as JSON from standard input, prints the result as JSON.
 */
import type { Socket } from 'bun'
import { createHistogram } from './histogram.ts'
import { cpuSeconds } from './process-figures.ts'

export interface LoadJob {
  /** Of a server on 127.0.0.1. */
  readonly port: number
  /** Each ping goes to one of these at random. */
  readonly paths: readonly string[]
  /** Kept alive; each has one request on the way at any time. */
  readonly connections: number
  /** Sent like the rest, but not counted. */
  readonly warmUpSeconds: number
  /** How long to count; with `pings`, the longest it may take. */
  readonly seconds: number
  /** Stops early, after this many answers. */
  readonly pings: number | null
  /** The server's process, if its use of the processor is wanted. */
  readonly pid: number | null
}

export interface LoadResult {
  /** Answers that came while counting, the wrong ones included. */
  readonly pings: number
  /** Answers other than `200` with the body `OK`, and lost connections. */
  readonly errors: number
  readonly seconds: number
  readonly p50Milliseconds: number
  readonly p99Milliseconds: number
  /** Of the server, while counting. */
  readonly serverCpuSeconds: number | null
  /** Share of one processor that this generator used; near 1 it, not the server, may be what limits the figures. */
  readonly ownLoad: number
}

/** One connection: when its request went out, and the part of an answer that has come so far. */
interface Line {
  sentAt: number
  partial: Buffer | null
}

/** Sends pings as the job says. Rejects only if the server cannot be connected to at all. */
export async function drive(job: LoadJob): Promise<LoadResult> {
  const requests = buildRequests(job)
  const latencies = createHistogram()
  const finished = Promise.withResolvers<void>()
  let pings = 0
  let errors = 0
  let isCounting = false
  let isOver = false
  let seed = 88_172_645
  // Once an answer has been read properly, one of the same length needs only a glance.
  let usualLength = -1

  const sendNext = (socket: Socket<Line>) => {
    seed ^= seed << 13
    seed ^= seed >>> 17
    seed ^= seed << 5
    const index = (seed >>> 0) % job.paths.length
    const start = requests.starts[index] ?? 0
    const length = (requests.starts[index + 1] ?? 0) - start
    if (socket.write(requests.bytes, start, length) < length) errors += 1
  }
  const lost = () => {
    if (isOver) return
    errors += 1
    finished.resolve()
  }
  const handlers = {
    data(socket: Socket<Line>, chunk: Buffer) {
      const line = socket.data
      if (line.partial !== null || chunk.length !== usualLength || !isOk(chunk, chunk.length)) {
        const bytes = line.partial === null ? chunk : Buffer.concat([line.partial, chunk])
        const length = answerLength(bytes)
        if (length === null || length > bytes.length) {
          line.partial = bytes
          return
        }
        line.partial = null
        if (isOk(bytes, length) && length === bytes.length) usualLength = length
        else errors += 1
      }
      const now = performance.now()
      if (isCounting) {
        pings += 1
        latencies.add(now - line.sentAt)
        if (job.pings !== null && pings >= job.pings) finished.resolve()
      }
      if (isOver) return
      line.sentAt = now
      sendNext(socket)
    },
    close: lost,
    error: lost,
  }

  const sockets = await Promise.all(
    Array.from({ length: job.connections }, () => {
      const data: Line = { sentAt: performance.now(), partial: null }
      return Bun.connect<Line>({ hostname: '127.0.0.1', port: job.port, data, socket: handlers })
    }),
  )
  for (const socket of sockets) sendNext(socket)
  await Promise.race([Bun.sleep(job.warmUpSeconds * 1000), finished.promise])

  const serverCpuBefore = job.pid === null ? 0 : cpuSeconds(job.pid)
  const ownCpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  isCounting = true
  await Promise.race([Bun.sleep(job.seconds * 1000), finished.promise])
  isCounting = false
  const seconds = (performance.now() - startedAt) / 1000
  const ownCpu = process.cpuUsage(ownCpuBefore)
  const serverCpuSeconds = job.pid === null ? null : cpuSeconds(job.pid) - serverCpuBefore

  isOver = true
  // The answers still on the way are awaited, so that the server's next opponent starts in silence.
  await Bun.sleep(50)
  for (const socket of sockets) socket.end()
  return {
    pings,
    errors,
    seconds,
    p50Milliseconds: latencies.quantile(0.5),
    p99Milliseconds: latencies.quantile(0.99),
    serverCpuSeconds,
    ownLoad: (ownCpu.user + ownCpu.system) / 1e6 / seconds,
  }
}

/** All requests in one block of memory; request i lies between `starts[i]` and `starts[i + 1]`. */
function buildRequests({ port, paths }: LoadJob): { bytes: Uint8Array; starts: Uint32Array } {
  const texts = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUser-Agent: bench\r\n\r\n`)
  const starts = new Uint32Array(paths.length + 1)
  for (const [index, text] of texts.entries()) starts[index + 1] = (starts[index] ?? 0) + text.length
  return { bytes: new TextEncoder().encode(texts.join('')), starts }
}

/** `HTTP/1.1 200` at the start, `OK` at the end. */
function isOk(bytes: Uint8Array, length: number): boolean {
  return (
    bytes[9] === 50 &&
    bytes[10] === 48 &&
    bytes[11] === 48 &&
    bytes[length - 2] === 79 /* O */ &&
    bytes[length - 1] === 75 /* K */
  )
}

/** Bytes of the answer at the start of `bytes`, or null while its head is incomplete. */
function answerLength(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  return headEnd + 4 + Number(length ?? 0)
}

if (import.meta.main) {
  const job: LoadJob = await Bun.stdin.json()
  process.stdout.write(JSON.stringify(await drive(job)))
  process.exit(0)
}
