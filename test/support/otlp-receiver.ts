/** A receiver of traces: OTLP over HTTP in protobuf, decoded as far as tests need it. */

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  /** empty for the root span of a trace */
  readonly parentSpanId: string
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client' | 'other'
  readonly attributes: Readonly<Record<string, string | number>>
  /** ids of linked spans */
  readonly links: readonly string[]
  /** null when there is no error */
  readonly error: string | null
  readonly resource: Readonly<Record<string, string | number>>
}

export interface OtlpReceiver {
  /** value for `OTEL_EXPORTER_OTLP_ENDPOINT` */
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** every message as text, for searches */
  readonly raw: readonly string[]
  readonly headers: readonly Headers[]
  /** sets the status of later answers; initially 200 */
  answerWith(status: number): void
  stop(): Promise<void>
}

/** @param port 0 for any free port */
export function otlpReceiver(port = 0): OtlpReceiver {
  const spans: ReceivedSpan[] = []
  const raw: string[] = []
  const headers: Headers[] = []
  let status = 200
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (new URL(request.url).pathname !== '/v1/traces') return new Response(null, { status: 404 })
      const bytes = new Uint8Array(await request.arrayBuffer())
      headers.push(request.headers)
      if (status === 200) {
        raw.push(new TextDecoder('latin1').decode(bytes))
        spans.push(...spansOf(bytes))
      }
      return new Response(null, { status })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    raw,
    headers,
    answerWith: (given) => {
      status = given
    },
    stop: () => server.stop(true),
  }
}

// Field numbers: opentelemetry-proto, trace/v1/trace.proto and common/v1/common.proto.

function spansOf(bytes: Uint8Array): ReceivedSpan[] {
  return messages(bytes, 1).flatMap((resourceSpans) => {
    const resource = Object.assign({}, ...messages(resourceSpans, 1).map((resource) => attributesOf(resource, 1)))
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => spanOf(span, resource))
  })
}

function spanOf(bytes: Uint8Array, resource: ReceivedSpan['resource']): ReceivedSpan {
  const hex = (message: Uint8Array, field: number) => messages(message, field)[0]?.toHex() ?? ''
  const [status] = messages(bytes, 15)
  const isError = status !== undefined && number(status, 3) === 2
  return {
    traceId: hex(bytes, 1),
    spanId: hex(bytes, 2),
    parentSpanId: hex(bytes, 4),
    name: text(bytes, 5),
    kind: (['other', 'internal', 'server', 'client'] as const)[number(bytes, 6)] ?? 'other',
    attributes: attributesOf(bytes, 9),
    links: messages(bytes, 13).map((link) => hex(link, 2)),
    error: isError ? text(status, 2) : null,
    resource,
  }
}

function attributesOf(bytes: Uint8Array, field: number): Record<string, string | number> {
  const pairs = messages(bytes, field).map((pair) => {
    const [value = new Uint8Array()] = messages(pair, 2)
    const isText = fields(value).some(([tag]) => tag === 1)
    return [text(pair, 1), isText ? text(value, 1) : number(value, 3)] as const
  })
  return Object.fromEntries(pairs)
}

function messages(bytes: Uint8Array, field: number): Uint8Array[] {
  return fields(bytes).flatMap(([tag, value]) => (tag === field && typeof value !== 'number' ? [value] : []))
}

function text(bytes: Uint8Array, field: number): string {
  return new TextDecoder().decode(messages(bytes, field)[0])
}

function number(bytes: Uint8Array, field: number): number {
  const found = fields(bytes).find(([tag]) => tag === field)?.[1]
  return typeof found === 'number' ? found : 0
}

/** Decodes the wire format of Protocol Buffers. @returns number and value of each field */
function fields(bytes: Uint8Array): [field: number, value: number | Uint8Array][] {
  const found: [number, number | Uint8Array][] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte & 127) * shift
      if (byte < 128) return value
    }
  }
  const take = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = varint()
    const LENGTHS: Readonly<Record<number, () => number | Uint8Array>> = {
      0: varint,
      1: () => take(8),
      2: () => take(varint()),
      5: () => take(4),
    }
    const read = LENGTHS[tag % 8]
    if (read === undefined) throw new Error(`unsupported wire type ${tag % 8}`)
    found.push([Math.floor(tag / 8), read()])
  }
  return found
}
