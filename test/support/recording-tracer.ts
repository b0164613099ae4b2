/** A tracer whose spans stay in memory. */
import type { Tracer } from '@opentelemetry/api'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

export interface RecordingTracer {
  readonly tracer: Tracer
  /** those that have ended, in that order */
  spans(): ReadableSpan[]
}

export function recordingTracer(): RecordingTracer {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  return { tracer: provider.getTracer('tests'), spans: () => exporter.getFinishedSpans() }
}
