/** Which spans are made and where they go, as the standard variables of OpenTelemetry say it. */

/** OpenTelemetry Environment Variable Specification, `OTEL_TRACES_SAMPLER`. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export type SamplerName = (typeof SAMPLERS)[number]

export interface TracingSettings {
  /** takes OTLP over HTTP, with its path */
  readonly url: string
  readonly sampler: SamplerName
  /** of the traces that a sampler by ratio keeps; 0…1 */
  readonly ratio: number
  /** spans that wait; what comes on top of them is dropped */
  readonly queueLimit: number
  /** spans in one message, at most */
  readonly batchLimit: number
  /** milliseconds that a span waits for others */
  readonly delayMs: number
}
