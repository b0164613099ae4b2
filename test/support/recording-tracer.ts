/** A tracer that keeps its spans in memory. */
import type { Tracer } from '@opentelemetry/api'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

interface RecordingTracer {
  readonly tracer: Tracer
  /** Returns finished spans, in the order of their ends. */
  spans(): ReadableSpan[]
}

export function recordingTracer(): RecordingTracer {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  return { tracer: provider.getTracer('tests'), spans: () => exporter.getFinishedSpans() }
}
