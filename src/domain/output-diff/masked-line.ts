/**
 * Masks the parts of a line that vary between runs, such as times, durations, sizes, IDs and temporary paths, so that they don't count as
 * changes.
 */

// Every repetition is bounded because lines are untrusted input.
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}'
const WEEKDAY = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? {1,4})?'
const TIME = '\\d\\d?:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?: ?[AP]M)?(?:Z| ?[+-]\\d\\d:?\\d\\d)?(?!\\w)'
const TIME_OF_DATE = `(?:[T_:]${TIME}|\\b)`
const NUMBER = '\\d{1,15}(?:[.,]\\d{1,9}){0,4}'

/** Patterns for the parts to mask. The order matters: text matched by one pattern is not matched again. */
const VARYING = new RegExp(
  [
    // UUIDs, digests and IDs: hexadecimal strings that contain a digit.
    '\\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\\b',
    '\\b(?:0x)?(?=[a-f]{0,63}\\d)[0-9a-f]{7,64}\\b',
    '(?:/var)?/(?:tmp|run)/[^\\s:;,\'")]{1,200}',
    // Dates with a time: 2026-11-17T03:30:12.5+02:00, 17/Nov/2026:03:30:12 +0200, 20261117T033012Z
    `\\b\\d{4}[-/.]\\d\\d?[-/.]\\d\\d?${TIME_OF_DATE}`,
    `\\b\\d\\d?[-/.](?:\\d\\d?|[A-Z][a-z]{2})[-/.]\\d{4}${TIME_OF_DATE}`,
    '\\b\\d{8}T\\d{4,6}Z?\\b',
    // Dates with the month in words: Tue Nov 17 2026, Tuesday, 17 November 2026
    `\\b${WEEKDAY}${MONTH} {1,4}\\d\\d?(?:,? {1,4}\\d{4})?\\b(?!:)`,
    `\\b${WEEKDAY}\\d\\d? {1,4}${MONTH}(?: {1,4}\\d{4})?\\b(?!:)`,
    `\\b${WEEKDAY}${TIME}`,
    `\\b${NUMBER} ?(?:[kKMGT]i?)?(?:B|bytes?)(?:/s(?:ec)?)?\\b`,
    `\\b${NUMBER} ?[kKMGT](?:/s)?\\b`,
    `\\b${NUMBER} ?(?:[mµun]?s|secs?|seconds?|mins?|minutes?|hours?|hrs?|[hmd]|days?)\\b`,
    `(?:\\b|[ ]{1,2}(?=\\d))${NUMBER} ?%`,
    // Process IDs: `cron[1234]`, `pid 1234`.
    '\\[\\d{1,10}\\]',
    '\\b(?:pid|PID)[ =:]{0,2}\\d{1,10}',
    // Sizes without a unit, and times in seconds since 1970.
    '\\b\\d{1,3}(?:,\\d{3}){1,6}(?:\\.\\d{1,9})?\\b',
    '\\b\\d{6,20}(?:\\.\\d{1,9})?\\b',
  ].join('|'),
  'g',
)

const MASK = '·'

/** @param line must be limited in length */
export function maskedLine(line: string): string {
  return line.replace(VARYING, MASK).replace(/\s+/g, ' ').trim()
}

/** Also masks the numbers in a line that has already been masked, because counts often vary between runs. */
export function wordsOfMasked(masked: string): string {
  return masked.replace(/\d+/g, MASK)
}
