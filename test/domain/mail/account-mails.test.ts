import { describe, expect, test } from 'bun:test'
import {
  confirmationMail,
  emailTakenMail,
  invitationMail,
  knownAccountMail,
  ownershipOfferMail,
  passwordMail,
  signInMail,
  signUpMail,
} from '../../../src/domain/mail/account-mails.ts'

const TO = { id: 'id', address: 'bob@example.org', siteName: 'Overdue' }
const URL = 'https://overdue.test/invitation/TOKEN'

/** Returns the visible text, without word joiners. */
function read({ text }: { readonly text: string }): string {
  return text.replaceAll('\u2060', '')
}

test('an email with a link to sign in says for whom it is, how long it works, and what to do with it', () => {
  const { html, text, ...head } = signInMail(TO, URL)
  expect(head).toEqual({ id: 'id', to: 'bob@example.org', subject: 'Sign in to Overdue', unsubscribeUrl: null })
  expect(text).toBe(`Sign in to Overdue

This link signs bob@example.org in to Overdue. It can be used once and expires after an hour.

Sign in:
${URL}

If you didn't ask for this, ignore this email: nobody can sign in without the link.
`)
  expect(html).toContain(`href="${URL}"`)
})

test('an email without a link ends with what it says', () => {
  expect(emailTakenMail(TO, 'ann@example.org').text).toBe(`This address already has an account on Overdue

The owner of the account ann@example.org on Overdue asked to change its email to this address. This address already has an account, so nothing was changed.
`)
})

test('an email with a link to choose a password says for which account it is, and how long it works', () => {
  const { text, subject } = passwordMail(TO, URL)
  expect(subject).toBe('Choose a password for Overdue')
  expect(text).toContain('the account bob@example.org on Overdue. It can be used once and expires after an hour.')
  expect(text).toContain(`Choose a password:\n${URL}\n`)
})

test('the name of the site is escaped, and is one line of the subject', () => {
  const { html, subject } = signInMail({ ...TO, siteName: '<b>My\r\nBcc: x@y.z</b>' }, URL)
  expect(subject).toBe('Sign in to <b>My Bcc: x@y.z</b>')
  expect(html).not.toContain('<b>My')
})

test('an invitation says who invites to what, how long it works, and what to do with it', () => {
  expect(read(invitationMail(TO, 'Harbour Books', 'ann@example', URL))).toBe(`Invitation to Overdue

ann@example invites you to the project "Harbour Books" on Overdue, which alerts people when a job does not run. The link can be used once and expires after seven days.

Join the project:
${URL}

If you don't know the sender, ignore this email: nothing happens.
`)
  expect(invitationMail(TO, 'Harbour Books', null, URL).text).toContain('Somebody invites you')
})

test('who asked for an account gets a link to make it; who has one is told to sign in', () => {
  const [fresh, known] = [signUpMail(TO, URL), knownAccountMail(TO, 'https://overdue.test/sign-in')]
  expect(fresh.text).toContain(
    'This link creates an account for bob@example.org on Overdue. It can be used once and expires after a day.',
  )
  expect(known.text).toContain('You already have one: sign in.')
  expect(known.text).toContain('https://overdue.test/sign-in\n')
  // A person who reads only the subject over a shoulder does not learn it either.
  expect(known.subject).toBe(fresh.subject)
})

test('an offer of a project says who offers what, where to answer, and until when', () => {
  const mail = ownershipOfferMail(TO, 'Harbour Books', 'ann@example', 'https://overdue.test/p/harbour-books/team')
  expect(mail.subject).toBe('You were offered a project on Overdue')
  expect(read(mail)).toContain('ann@example wants to make you the owner of the project "Harbour Books" on Overdue.')
  expect(mail.text).toContain('within seven days')
  expect(mail.html).toContain('href="https://overdue.test/p/harbour-books/team"')
})

describe('the name of a project makes no link and no HTML in', () => {
  const hostile = `<b>https://evil.example/${'x'.repeat(300)}</b>`
  const mails = {
    'an invitation': invitationMail(TO, hostile, 'ann@example', URL),
    'an offer': ownershipOfferMail(TO, hostile, 'ann@example', URL),
    'a request to confirm an address': confirmationMail(TO, hostile, URL),
  }
  test.each(Object.entries(mails))('%s', (_, { html, text }) => {
    expect(html).not.toContain('<b>')
    expect(text).not.toContain('https://evil.example')
    expect(text).not.toContain('x'.repeat(60))
  })
})
