/**
 * Tracing settings: the variables of the OpenTelemetry Environment Variable Specification. The OpenTelemetry libraries read resource and
 * connection settings directly, such as `OTEL_SERVICE_NAME` and `OTEL_EXPORTER_OTLP_HEADERS`.
 */
import { endpoint, oneOf, wholeNumber } from './parsers.ts'
import type { Settings } from './settings.ts'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export type SamplerName = (typeof SAMPLERS)[number]

export interface TracingSettings {
  /** URL of the OTLP receiver over HTTP, including its path */
  readonly url: string
  readonly sampler: SamplerName
  /** share of traces that a `traceidratio` sampler keeps, from 0 to 1 */
  readonly ratio: number
  /** maximum number of queued spans; further spans are dropped */
  readonly queueLimit: number
  /** maximum number of spans in one request */
  readonly batchLimit: number
  /** milliseconds between two requests */
  readonly delayMs: number
}

/** @returns null if tracing is off */
export function readTracing(settings: Settings): TracingSettings | null {
  const isDisabled = settings.get('OTEL_SDK_DISABLED', 'false', (given) => given.toLowerCase() === 'true')
  const url = isDisabled ? null : tracesUrl(settings)
  if (url === null) return null
  const protocol = settings.get('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', null, otlpProtocol)
  if (protocol === null) settings.get('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf', otlpProtocol)
  const sampler = settings.get('OTEL_TRACES_SAMPLER', 'parentbased_always_on', oneOf(SAMPLERS))
  return {
    url,
    sampler,
    ratio: sampler.endsWith('traceidratio') ? settings.get('OTEL_TRACES_SAMPLER_ARG', '1', ratio) : 1,
    queueLimit: settings.get('OTEL_BSP_MAX_QUEUE_SIZE', '2048', wholeNumber(1, 1_000_000)),
    batchLimit: settings.get('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '512', wholeNumber(1, 1_000_000)),
    delayMs: settings.get('OTEL_BSP_SCHEDULE_DELAY', '5000', wholeNumber(0, 3_600_000)),
  }
}

const otlpEndpoint = endpoint('http://localhost:4318')

function tracesUrl(settings: Settings): string | null {
  const exporter = settings.get('OTEL_TRACES_EXPORTER', null, oneOf(['otlp', 'none']))
  const general = settings.get('OTEL_EXPORTER_OTLP_ENDPOINT', null, otlpEndpoint)
  const given = settings.get('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', null, otlpEndpoint)
  const isOn = exporter === 'otlp' || (exporter === null && (general !== null || given !== null))
  if (!isOn) return null
  return given ?? `${(general ?? 'http://localhost:4318').replace(/\/+$/, '')}/v1/traces`
}

function otlpProtocol(given: string): 'http/protobuf' {
  if (given === 'http/protobuf') return given
  throw new Error(
    `"${given}" is not supported; use http/protobuf and an endpoint that accepts it, usually on port 4318`,
  )
}

function ratio(given: string): number {
  const number = Number(given)
  if (/^(?:\d+\.?\d*|\.\d+)$/.test(given) && number <= 1) return number
  throw new Error(`"${given}" is not valid; use a number from 0 to 1`)
}
