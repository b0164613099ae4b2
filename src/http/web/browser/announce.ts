/** Announces a text to screen readers: one polite live region for the whole page. */

const region = document.getElementById('announcements')

export function announce(words: string): void {
  // The same text twice is read once, unless the region was empty in between.
  if (region) region.textContent = ''
  setTimeout(() => {
    if (region) region.textContent = words
  }, 50)
}
