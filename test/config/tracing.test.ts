import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/settings.ts'
import { problems } from './support.ts'

describe('tracing', () => {
  const ON = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  const tracing = (environment: Environment) => readConfig(environment).tracing

  const on: readonly [environment: Environment, url: string][] = [
    [ON, 'http://collector:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector/otlp//' }, 'https://collector/otlp/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector/in?tenant=1' }, 'http://collector/in?tenant=1'],
    [{ ...ON, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces:4318/' }, 'http://traces:4318/'],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http://localhost:4318/v1/traces'],
    [{ ...ON, OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'no' }, 'http://collector:4318/v1/traces'],
  ]
  test.each(on)('%j turns it on and says where spans go', (environment, url) => {
    expect(tracing(environment)?.url).toBe(url)
  })

  const off: readonly Environment[] = [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_SERVICE_NAME: 'overdue', OTEL_TRACES_SAMPLER: 'always_on' },
    { ...ON, OTEL_TRACES_EXPORTER: 'none' },
    { ...ON, OTEL_SDK_DISABLED: 'true' },
    { ...ON, OTEL_SDK_DISABLED: 'TRUE', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  ]
  test.each(off)('%j leaves it off', (environment) => {
    expect(tracing(environment)).toBeNull()
  })

  test('has the defaults of the standard', () => {
    expect(tracing(ON)).toEqual({
      url: 'http://collector:4318/v1/traces',
      sampler: 'parentbased_always_on',
      ratio: 1,
      queueLimit: 2048,
      batchLimit: 512,
      delayMs: 5000,
    })
  })

  test('uses the values of the variables', () => {
    const given = {
      ...ON,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.25',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
      OTEL_BSP_SCHEDULE_DELAY: '0',
    }
    expect(tracing(given)).toMatchObject({
      sampler: 'traceidratio',
      ratio: 0.25,
      queueLimit: 100,
      batchLimit: 10,
      delayMs: 0,
    })
  })

  test('ignores the argument of samplers that have none', () => {
    expect(problems({ ...ON, OTEL_TRACES_SAMPLER: 'always_on', OTEL_TRACES_SAMPLER_ARG: 'endpoint=x' })).toEqual([])
  })

  const PROTOCOL = 'is not supported; use http/protobuf and an endpoint that accepts it, usually on port 4318'
  const bad: readonly [environment: Environment, problem: string][] = [
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, `OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" ${PROTOCOL}`],
    [
      { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' },
      `OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json" ${PROTOCOL}`,
    ],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER: "zipkin" is not supported; use otlp or none'],
    [{ OTEL_TRACES_SAMPLER: 'xray' }, 'OTEL_TRACES_SAMPLER: "xray" is not supported; use always_on, '],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '1.5' },
      'OTEL_TRACES_SAMPLER_ARG: "1.5" is not valid; use a number from 0 to 1',
    ],
    [{ OTEL_BSP_MAX_QUEUE_SIZE: '0' }, 'OTEL_BSP_MAX_QUEUE_SIZE: "0" is not valid'],
  ]
  test.each(bad)('%j is a problem', (environment, problem) => {
    const told = problems({ ...ON, ...environment })
    expect(told).toHaveLength(1)
    expect(told[0]).toStartWith(problem)
  })

  test('uses the protocol for traces, whatever the general one is', () => {
    const environment = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' }
    expect(problems({ ...ON, ...environment })).toEqual([])
  })

  test.each(['grpc://me:hunter2@collector:4317', 'collector:4317', 'http://me:hunter2@collector:port'])(
    '%s is refused as an endpoint and is not quoted',
    (endpoint) => {
      expect(problems({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toEqual([
        'OTEL_EXPORTER_OTLP_ENDPOINT: is not an http or https URL; use one like http://localhost:4318',
      ])
    },
  )
})
