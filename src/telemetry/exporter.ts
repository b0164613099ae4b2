/** An exporter that tells of its trouble once, and of its end, however many messages are lost in between. */
import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from '../domain/log.ts'

const REASON_LIMIT = 200

export function tellingOnce(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false
  const tell = (error: Error | undefined) => {
    const reason = error?.message.slice(0, REASON_LIMIT) || 'no reason given'
    log('warning', 'traces cannot be delivered, and are dropped until they can', { reason })
  }
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS
        if (hasFailed && !isFailing) tell(result.error)
        if (!hasFailed && isFailing) log('info', 'traces are delivered again')
        isFailing = hasFailed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
