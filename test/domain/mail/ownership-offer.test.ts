import { expect, test } from 'bun:test'
import { ownershipOfferMail } from '../../../src/domain/mail/ownership-offer.ts'

const WORDS = {
  id: 'id',
  address: 'bob@example.org',
  siteName: 'Overdue',
  projectName: 'Harbour Books',
  offeredBy: 'ann@example',
  url: 'https://overdue.test/p/harbour-books/team',
}

test('the email says who offers what, where to answer, and until when', () => {
  const { to, subject, text, html } = ownershipOfferMail(WORDS)
  expect([to, subject]).toEqual(['bob@example.org', 'A project is offered to you on Overdue'])
  expect(text.replaceAll('\u2060', '')).toContain(
    'ann@example wants you to own the project "Harbour Books" on Overdue.',
  )
  expect(text).toContain('within seven days')
  expect(html).toContain('href="https://overdue.test/p/harbour-books/team"')
})

test('it makes no link and no HTML of what people wrote', () => {
  const { html, text } = ownershipOfferMail({ ...WORDS, projectName: '<b>https://evil.example/</b>' })
  expect(html).not.toContain('<b>')
  expect(text).not.toContain('https://evil.example')
})
