/** Announces text to screen readers through the page's only live region, which is polite. */

const region = document.getElementById('announcements')

export function announce(words: string): void {
  // Screen readers skip text that equals the previous text, so the region is emptied first.
  if (region) region.textContent = ''
  setTimeout(() => {
    if (region) region.textContent = words
  }, 50)
}
