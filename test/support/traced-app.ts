/** The test app with tracing, and a receiver for its spans. */
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan } from './otlp-receiver.ts'
import { type TestApp, type TestAppOptions, testApp } from './test-app.ts'

export interface TracedApp extends TestApp {
  readonly receiver: OtlpReceiver
  /** Stops the app, which sends the remaining spans. @returns all spans in the order of their ends */
  spans(): Promise<readonly ReceivedSpan[]>
}

export async function tracedApp({ env = {}, ...options }: TestAppOptions = {}): Promise<TracedApp> {
  const receiver = otlpReceiver()
  const app = await testApp({ ...options, env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env } })
  return {
    ...app,
    receiver,
    async spans() {
      await app.close()
      return receiver.spans
    },
    async close() {
      await app.close()
      await receiver.stop()
    },
  }
}

/** @returns the only span with that name */
export function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const [span, ...more] = spans.filter((candidate) => candidate.name === name)
  if (span && more.length === 0) return span
  throw new Error(`"${name}" is not the name of one span: ${spans.map((candidate) => candidate.name).join(', ')}`)
}
