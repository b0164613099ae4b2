/**
 * Traces requests, the store, loops and carriers with OpenTelemetry. Only this directory imports the OpenTelemetry libraries. It is loaded
 * only if the settings enable tracing. Nothing is registered globally.
 */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TracingSettings } from '../config/tracing.ts'
import type { RequestTracer } from '../http/traced.ts'
import type { Log } from '../lib/log.ts'
import type { Deps } from '../services/common/deps.ts'
import type { PingReceiver } from '../services/pings/pings.ts'
import { traceCarriers } from './carriers.ts'
import { loggingOnce } from './exporter.ts'
import { createLoopTracer, type LoopTracer, recordingWork } from './loops.ts'
import { createPingTracer } from './pings.ts'
import { createRequestTracer } from './requests.ts'

export interface Telemetry {
  readonly requests: RequestTracer
  readonly loop: LoopTracer
  /** Adds spans around the store's commits and the carriers' messages. */
  deps(deps: Deps): Deps
  /** Links commits to the requests that sent their pings. */
  pings(receiver: PingReceiver): PingReceiver
  /** Exports all queued spans. Never throws, but may take as long as the collector needs. */
  stop(): Promise<void>
}

/** Starts tracing. The exporter reads its headers, timeout, compression and certificates from the environment. */
export function startTelemetry(settings: TracingSettings, log: Log, version: string): Telemetry {
  const { url, queueLimit, batchLimit, delayMs } = settings
  // Maximum number of concurrent exports, which is enough to export the complete queue at shutdown. While a collector fails, the processor
  // keeps starting exports, and each export stays open until it is given up.
  const concurrencyLimit = Math.ceil(queueLimit / batchLimit) + 1
  const exporter = loggingOnce(new OTLPTraceExporter({ url, concurrencyLimit }), log)
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: queueLimit,
    maxExportBatchSize: batchLimit,
    scheduledDelayMillis: delayMs,
  })
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: resourceOf(version),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('overdue', version)
  const pings = createPingTracer(tracer)
  return {
    requests: createRequestTracer(tracer),
    loop: createLoopTracer(tracer),
    deps: (deps) => ({
      ...deps,
      store: { ...deps.store, ...recordingWork(deps.store), pings: pings.store(deps.store.pings) },
      carriers: traceCarriers(tracer, deps.carriers),
    }),
    pings: pings.receiver,
    async stop() {
      // The exporter has already logged the failure.
      await provider.shutdown().catch(() => {})
    },
  }
}

/** Returns the resource that all spans share. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` override this program's values. */
function resourceOf(version: string): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'overdue', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }))
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio)
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) })
  }
}
