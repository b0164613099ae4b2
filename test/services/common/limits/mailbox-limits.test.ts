/** The number of emails that may be requested for an address: by mailbox, network and account. */
import { describe, expect, test } from 'bun:test'
import { createMailboxLimits, type MailboxLimits } from '../../../../src/services/common/limits/mailbox-limits.ts'
import { handClock } from '../../../support/clock.ts'

const HERE = '192.0.2.7'
const ELSEWHERE = '198.51.100.1'
const network = (n: number) => `10.0.${n}.1`
const limitsNow = () => createMailboxLimits(handClock().now)
const ask = (
  times: number,
  limits: MailboxLimits,
  email: string,
  address: string | null = HERE,
  accountId: string | null = null,
) => Array.from({ length: times }, () => limits.ask(email, { address, accountId }))

describe('emails to an address that nobody has agreed to', () => {
  test('are five in 15 minutes for a mailbox in one network, and twenty an hour for a network', () => {
    const limits = limitsNow()
    expect(ask(6, limits, 'ops@example.org')).toEqual([0, 0, 0, 0, 0, 900])
    for (let n = 0; n < 15; n += 1) expect(ask(1, limits, `p${n}@example.org`)).toEqual([0])
    expect(ask(1, limits, 'another@example.org')).toEqual([3_600])
    expect(ask(1, limits, 'another@example.org', ELSEWHERE)).toEqual([0])
  })

  test('are ten an hour for a mailbox over all networks and accounts', () => {
    const limits = limitsNow()
    for (let n = 0; n < 10; n += 1) expect(ask(1, limits, 'ops@example.org', network(n), `a${n}`)).toEqual([0])
    expect(ask(1, limits, 'Ops@example.org', network(10), 'a10')).toEqual([3_600])
  })

  test('are for one mailbox, however it is spelled', () => {
    const limits = limitsNow()
    const spelled = [
      'o.p.s@example.org',
      'ops+1@example.org',
      'o.ps+2+3@Example.org',
      ' OPS@example.org',
      'op.s@example.org',
    ]
    for (const email of spelled) expect(ask(1, limits, email)).toEqual([0])
    expect(ask(1, limits, 'ops+another@example.org')).toEqual([900])
    expect(ask(1, limits, 'ops@example.com')).toEqual([0])
  })

  test('are twenty an hour for an account, whoever they go to and wherever it asks', () => {
    const limits = limitsNow()
    for (let n = 0; n < 20; n += 1) expect(ask(1, limits, `p${n}@example.org`, network(n), 'ann')).toEqual([0])
    expect(ask(1, limits, 'another@example.org', network(20), 'ann')).toEqual([3_600])
    expect(ask(1, limits, 'another@example.org', network(20), 'bob')).toEqual([0])
  })
})

test('tests are twenty an hour for a mailbox, apart from what else goes there', () => {
  const limits = limitsNow()
  expect(Array.from({ length: 21 }, () => limits.test('ops@example.org'))).toEqual([...Array(20).fill(0), 3_600])
  expect(limits.test('ops+test@example.org')).toBe(3_600)
  expect(ask(1, limits, 'ops@example.org')).toEqual([0])
})
