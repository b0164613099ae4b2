/**
 * Tracing with OpenTelemetry: what is put around requests, the store, loops and carriers. The only room that names its
 * libraries, and loaded only where the settings ask for traces. Nothing is registered globally.
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
import type { Log } from '../domain/log.ts'
import type { TracingSettings } from '../domain/tracing.ts'
import type { RequestTracer } from '../http/traced.ts'
import type { Deps } from '../services/deps.ts'
import type { PingReceiver } from '../services/pings.ts'
import { traceCarriers } from './carriers.ts'
import { tellingOnce } from './exporter.ts'
import { createLoopTracer, type LoopTracer, notingWork } from './loops.ts'
import { createPingTracer } from './pings.ts'
import { createRequestTracer } from './requests.ts'

export interface Telemetry {
  readonly requests: RequestTracer
  readonly loop: LoopTracer
  /** The same, with spans around what the store commits and what carriers send. */
  deps(deps: Deps): Deps
  /** The same, telling commits whose pings they hold. */
  pings(receiver: PingReceiver): PingReceiver
  /** Sends what waits. Never throws, but may take as long as the receiver does. */
  stop(): Promise<void>
}

/** The exporter reads its headers, time-out, compression and certificates from the environment itself. */
export function startTelemetry(settings: TracingSettings, log: Log, version: string): Telemetry {
  const { url, queueLimit, batchLimit, delayMs } = settings
  // Enough for the whole queue at the end. The processor sends ever more at a time to a receiver that fails, and each
  // message is kept until it is given up.
  const concurrencyLimit = Math.ceil(queueLimit / batchLimit) + 1
  const exporter = tellingOnce(new OTLPTraceExporter({ url, concurrencyLimit }), log)
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
      store: { ...deps.store, ...notingWork(deps.store), commitPings: pings.commitPings(deps.store) },
      carriers: traceCarriers(tracer, deps.carriers),
    }),
    pings: pings.receiver,
    async stop() {
      // What cannot be sent was told by the exporter.
      await provider.shutdown().catch(() => {})
    },
  }
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` go before what we say. */
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
