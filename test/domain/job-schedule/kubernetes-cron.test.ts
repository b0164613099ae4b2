import { expect, test } from 'bun:test'
import { kubernetesFields, readKubernetesCron } from '../../../src/domain/job-schedule/kubernetes-cron.ts'
import { preview } from '../../../src/domain/schedule/schedule.ts'
import { Temporal } from '../../../src/lib/time.ts'

test.each([
  ['0 3 ? * 1', '0 3 * * 1'],
  ['0 0 */2 * 1', '0 0 1-31/2 * 1'],
  ['0 0 1 * ?/2', '0 0 1 * 0-6/2'],
  ['0 0 5,* * 1', '0 0 * * 1'],
  ['0 0 1 * 5,*/1', '0 0 1 * *'],
  ['0 0 */2 * *', '0 0 */2 * *'],
  ['0 3 * * 1/2', '0 3 * * 1-6/2'],
  ['0 3 * * MON/2', '0 3 * * MON-6/2'],
  ['0 3 * * 0,SAT/2,6/1', '0 3 * * 0,SAT,6'],
  ['5-5/10 3-3/2 * * *', '5 3 * * *'],
  ['0,,30 3 * * 1,', '0,30 3 * * 1'],
])('the expression %p of Kubernetes is %p for a check', (written, schedule) => {
  expect(readKubernetesCron(written.split(' '))).toEqual({ schedule })
})

test.each(['0 5 * * 5-7', '0 5 * * 07', '0 5 L * *', '0 5 15W * *', '0 5 * * 5L', '0 5 * * mon#1', '~ 5 * * *'])(
  'Kubernetes rejects %p',
  (written) => {
    expect(readKubernetesCron(written.split(' '))).toMatchObject({
      problem: expect.stringMatching(/^Kubernetes rejects/),
    })
  },
)

const FROM = Temporal.Instant.from('2026-05-04T10:00:00Z')
test.each([
  '5/15 7-7/6 * * *',
  '0 5 * * 5-7',
  '0 5 * * 1/2',
  '0 5 * * */2',
  '0 5 13 * 5',
  '0 5 13,*/20 * 1',
  '0 5 13 * 0-7',
  '0 5 */2 * 0-6',
  '0 5 1,* * 1',
  '0 5 1-31 * 1',
  '0 5 * jan,JUL fri',
])('the expression %p of a check, written for Kubernetes and read again, has the same runs', (schedule) => {
  const read = readKubernetesCron(kubernetesFields(schedule) ?? [])
  const runsOf = (text: string) => preview(text, 'UTC', FROM, 40).map(String)
  expect(runsOf('schedule' in read ? read.schedule : '')).toEqual(runsOf(schedule))
})
