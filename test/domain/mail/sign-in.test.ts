import { expect, test } from 'bun:test'
import { passwordMail, signInMail } from '../../../src/domain/mail/sign-in.ts'

const REQUEST = {
  id: 'id',
  address: 'ann@example.org',
  siteName: 'Overdue',
  url: 'https://overdue.test/sign-in/link/TOKEN',
}

test('an email with a link to sign in says for whom it is, how long it works, and what to do with it', () => {
  const { html, text, ...head } = signInMail(REQUEST)
  expect(head).toEqual({
    id: 'id',
    to: 'ann@example.org',
    subject: 'Sign in to Overdue',
    unsubscribeUrl: null,
  })
  expect(text).toBe(`Sign in to Overdue

This link signs ann@example.org in to Overdue. It works once, within an hour.

Sign in:
https://overdue.test/sign-in/link/TOKEN

If you didn't ask for this, ignore this email: nobody can sign in without the link.
`)
  expect(html).toContain('href="https://overdue.test/sign-in/link/TOKEN"')
})

test('the name of the site is escaped, and is one line of the subject', () => {
  const { html, subject } = signInMail({ ...REQUEST, siteName: '<b>My\r\nBcc: x@y.z</b>' })
  expect(subject).toBe('Sign in to <b>My Bcc: x@y.z</b>')
  expect(html).not.toContain('<b>My')
})

test('an email with a link to choose a password says for whom it is, and how long it works', () => {
  const url = 'https://overdue.test/password/TOKEN'
  const { html, text, to, subject } = passwordMail({ ...REQUEST, siteName: '<b>My\r\nBcc: x@y.z</b>', url })
  expect([to, subject]).toEqual(['ann@example.org', 'Choose a password for <b>My Bcc: x@y.z</b>'])
  expect(text).toContain('the account ann@example.org on <b>My Bcc: x@y.z</b>. It works once, within an hour.')
  expect(text).toContain(`Choose a password:\n${url}\n`)
  expect(html).toContain(`href="${url}"`)
  expect(html).not.toContain('<b>My')
})
