/**
 * The load generator, a separate process: raw sockets, and request bytes that are built in advance. Reads a job as JSON from
 * standard input and prints the result as JSON.
 */
import type { Socket } from 'bun'
import { AnswerReader, type ExpectedAnswer, nothingYet, type PartialAnswer } from './answer-reader.ts'
import { createHistogram } from './histogram.ts'
import { cpuSeconds } from './process-figures.ts'

export interface LoadJob {
  /** port of a server on 127.0.0.1 */
  readonly port: number
  /** paths, one of which is chosen at random for each request */
  readonly paths: readonly string[]
  readonly method: 'GET' | 'POST'
  /** headers in addition to those of every request */
  readonly headers: Readonly<Record<string, string>>
  /** size of each request's body; with 0, requests have none */
  readonly bodyBytes: number
  readonly answer: ExpectedAnswer
  /** number of connections, each with one request in progress at any time */
  readonly connections: number
  /** whether a connection is kept for the next request; otherwise each request opens one, which counts as latency */
  readonly isKeptAlive: boolean
  /** requests a second of all connections together; null: each connection sends again at once */
  readonly perSecond: number | null
  /** time in which requests are sent but not counted */
  readonly warmUpSeconds: number
  /** time in which requests are counted; with `limit`, the longest time */
  readonly seconds: number
  /** number of answers after which to stop early */
  readonly limit: number | null
  /** the server's process, to measure its processor time; null otherwise */
  readonly pid: number | null
}

export interface LoadResult {
  /** counted answers, including wrong ones */
  readonly answers: number
  /** unexpected answers and lost connections */
  readonly errors: number
  readonly seconds: number
  readonly p50Milliseconds: number
  readonly p99Milliseconds: number
  /** processor time of the server while counting */
  readonly serverCpuSeconds: number | null
  /** share of one processor that this generator used; near 1, the generator may limit the figures, not the server */
  readonly ownLoad: number
}

/** A connection of the load. */
interface Line {
  sentAt: number
  /** time at which the next request is due, with `perSecond` */
  dueAt: number
  /** offsets of the unsent part of the current request */
  unsentFrom: number
  unsentTo: number
  readonly partial: PartialAnswer
}

/** Limit for the bytes of all requests, which are kept in memory. */
const REQUEST_BYTES_LIMIT = 512 * 1024 * 1024
/** Greatest time to wait at the end for the last answers. */
const LAST_ANSWERS_MS = 5000

/** Runs the job. Rejects only when it can't connect to the server, or when the requests don't fit into memory. */
async function drive(job: LoadJob): Promise<LoadResult> {
  const requests = buildRequests(job)
  const reader = new AnswerReader(job.answer)
  const latencies = createHistogram()
  const finished = Promise.withResolvers<void>()
  const silent = Promise.withResolvers<void>()
  let answers = 0
  let errors = 0
  let inProgress = job.connections
  let isCounting = false
  let isOver = false
  let seed = 88_172_645
  const sockets = new Set<Socket<Line>>()
  const pauseMs = job.perSecond === null ? 0 : (1000 * job.connections) / job.perSecond

  const writeOn = (socket: Socket<Line>) => {
    const line = socket.data
    line.unsentFrom += socket.write(requests.bytes, line.unsentFrom, line.unsentTo - line.unsentFrom)
  }
  const sendNext = (socket: Socket<Line>) => {
    seed ^= seed << 13
    seed ^= seed >>> 17
    seed ^= seed << 5
    const index = (seed >>> 0) % job.paths.length
    socket.data.unsentFrom = requests.starts[index] ?? 0
    socket.data.unsentTo = requests.starts[index + 1] ?? 0
    writeOn(socket)
  }
  const start = (socket: Socket<Line>) => {
    socket.data.sentAt = performance.now()
    sendNext(socket)
  }
  const startOnNew = (socket: Socket<Line>) => {
    const sentAt = performance.now()
    sockets.delete(socket)
    socket.end()
    connect(socket.data.dueAt).then((next) => {
      next.data.sentAt = sentAt
      sendNext(next)
    }, fail)
  }
  const goOn = (socket: Socket<Line>) => {
    if (!isOver) return job.isKeptAlive ? start(socket) : startOnNew(socket)
    inProgress -= 1
    if (inProgress === 0) silent.resolve()
  }
  const fail = () => {
    if (isOver) return
    errors += 1
    finished.resolve()
  }
  const lost = (socket: Socket<Line>) => {
    if (sockets.has(socket)) fail()
  }
  const handlers = {
    data(socket: Socket<Line>, chunk: Buffer) {
      const line = socket.data
      const isRight = reader.take(line.partial, chunk)
      if (isRight === null) return
      if (!isRight) errors += 1
      const now = performance.now()
      if (isCounting) {
        answers += 1
        latencies.add(now - line.sentAt)
        if (job.limit !== null && answers >= job.limit) finished.resolve()
      }
      if (isOver || pauseMs === 0) return goOn(socket)
      // After a late answer the next request is sent at once, but missed requests are not repeated.
      line.dueAt = Math.max(line.dueAt + pauseMs, now)
      setTimeout(() => goOn(socket), line.dueAt - now)
    },
    drain(socket: Socket<Line>) {
      if (socket.data.unsentFrom < socket.data.unsentTo) writeOn(socket)
    },
    close: lost,
    error: lost,
  }

  const connect = async (dueAt: number) => {
    const data: Line = { sentAt: dueAt, dueAt, unsentFrom: 0, unsentTo: 0, partial: nothingYet() }
    const socket = await Bun.connect<Line>({ hostname: '127.0.0.1', port: job.port, data, socket: handlers })
    sockets.add(socket)
    return socket
  }
  const first = await Promise.all(Array.from({ length: job.connections }, () => connect(performance.now())))
  for (const [index, socket] of first.entries()) {
    // Spread over the first pause.
    const wait = (pauseMs * index) / first.length
    socket.data.dueAt = performance.now() + wait
    if (pauseMs === 0) start(socket)
    else setTimeout(() => start(socket), wait)
  }
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
  // So that the next server to be measured starts without load.
  await Promise.race([silent.promise, Bun.sleep(LAST_ANSWERS_MS)])
  for (const socket of sockets) socket.end()
  return {
    answers,
    errors,
    seconds,
    p50Milliseconds: latencies.quantile(0.5),
    p99Milliseconds: latencies.quantile(0.99),
    serverCpuSeconds,
    ownLoad: (ownCpu.user + ownCpu.system) / 1e6 / seconds,
  }
}

/** Puts all requests into one block of memory. Request i is between `starts[i]` and `starts[i + 1]`. */
function buildRequests(job: LoadJob): { bytes: Uint8Array; starts: Uint32Array } {
  const { port, paths, method, bodyBytes } = job
  const headers = { Host: `127.0.0.1:${port}`, 'User-Agent': 'bench', ...bodyHeaders(job), ...job.headers }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const rest = ` HTTP/1.1\r\n${lines.join('')}\r\n${'All is well. '.repeat(bodyBytes / 13 + 1).slice(0, bodyBytes)}`
  const total = paths.reduce((sum, path) => sum + method.length + 1 + path.length + rest.length, 0)
  if (total > REQUEST_BYTES_LIMIT) {
    throw new Error('the requests do not fit into memory: use fewer checks or smaller bodies')
  }
  const bytes = Buffer.alloc(total)
  const starts = new Uint32Array(paths.length + 1)
  for (const [index, path] of paths.entries()) {
    const start = starts[index] ?? 0
    starts[index + 1] = start + bytes.write(`${method} ${path}${rest}`, start, 'latin1')
  }
  return { bytes, starts }
}

function bodyHeaders({ method, bodyBytes }: LoadJob): Record<string, string> {
  if (method === 'GET') return {}
  return { 'Content-Length': String(bodyBytes), ...(bodyBytes > 0 && { 'Content-Type': 'text/plain' }) }
}

if (import.meta.main) {
  const job: LoadJob = await Bun.stdin.json()
  process.stdout.write(JSON.stringify(await drive(job)))
  process.exit(0)
}
