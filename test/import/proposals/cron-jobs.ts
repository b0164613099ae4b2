/** CronJobs of Kubernetes for tests of their import. */
import { type CronJobOptions, planCronJobs } from '../../../src/import/proposals/kubernetes/kubernetes.ts'
import { Temporal } from '../../../src/lib/time.ts'

export const OPTIONS = {
  zone: 'UTC',
  prefix: '',
  taken: new Set<string>(),
  now: Temporal.Instant.from('2026-05-04T10:00:00Z'),
  pingEndpoint: 'https://overdue.example.org/ping/',
  by: 'curl',
} as const
export const URL = 'https://overdue.example.org/ping/6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1'

export const CONTAINER = {
  name: 'job',
  image: 'registry.example.org/job',
  env: [{ name: 'PASSWORD', value: 'hunter2' }],
}
export const cronJob = (spec: object, pod: object = {}) => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'nightly', namespace: 'prod' },
  spec: {
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [CONTAINER], ...pod } } } },
    ...spec,
  },
})
/** Plans CronJobs with containers that ping before and after the job. */
export const plan = (...trees: unknown[]) => planBy('curl', ...trees)
export const planBy = (by: CronJobOptions['by'], ...trees: unknown[]) =>
  planCronJobs(
    trees.map((tree, index) => ({ tree, place: `jobs.yaml line ${index + 1}` })),
    { ...OPTIONS, by },
  )
export const PINGING = { image: 'curl', user: 65534 }
