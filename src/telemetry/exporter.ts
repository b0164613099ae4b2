/** An exporter that logs only the start and the end of a failure, no matter how many exports fail in between. */
import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from '../lib/log.ts'

const REASON_LIMIT = 200

export function loggingOnce(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false
  const logFailure = (error: Error | undefined) => {
    const reason = error?.message.slice(0, REASON_LIMIT) || 'no reason given'
    log('warning', 'cannot export traces; dropping them until it works again', { reason })
  }
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS
        if (hasFailed && !isFailing) logFailure(result.error)
        if (!hasFailed && isFailing) log('info', 'exporting traces works again')
        isFailing = hasFailed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
