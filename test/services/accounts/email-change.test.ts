import { afterEach, expect, test } from 'bun:test'
import { requestEmail } from '../../../src/services/accounts/email-change.ts'
import { personOf } from '../../../src/services/accounts/sign-in/sessions.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { only } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { accountOf } from './people.ts'

let t: TestApp
afterEach(() => t.close())

test('a database that fails while a link is made is a line of the log, and nothing else fails', async () => {
  t = await testApp({ env: { EMAIL_HOST: 'mail.example.org' } })
  const ann = await accountOf(t)
  const store = replaced(t.app.deps.store, { accounts: { find: () => Promise.reject(new Error('the disk is gone')) } })
  const deps = { ...t.app.deps, store }
  expect(await requestEmail(deps, personOf(ann, null), null, 'anna@example.org')).toBe('mailed')
  await t.app.deps.background.drain()
  expect(only(t.log)).toMatchObject({ level: 'warning', details: { reason: 'the disk is gone' } })
  expect(t.mails).toEqual([])
})
