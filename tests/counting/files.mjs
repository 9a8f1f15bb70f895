// Files for tests of media: large ones made by hand, real headers and the rest filling; and small real ones.
// Large images here cannot be shown.

const bytes = (...parts) => new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))));
const big = (number, length) => Array.from({ length }, (_, index) => (number >>> (8 * (length - 1 - index))) & 255);
const little = (number, length) => big(number, length).reverse();
const filling = (length) => new Uint8Array(length).fill(7);

/** A JPEG with metadata of a size in front of its frame. */
export function jpeg(width, height, metadataBytes = 0) {
  const segments = [];
  for (let left = metadataBytes; left > 0; left -= 65_000) segments.push([0xff, 0xe1], big(65_002, 2), filling(65_000));
  return bytes([0xff, 0xd8], ...segments, [0xff, 0xc2, 0, 17, 8], big(height, 2), big(width, 2), filling(9_000));
}

/** Every format, by its media type. */
export const images = {
  'image/png': (width, height) => bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', big(width, 4), big(height, 4), filling(9_000)),
  'image/jpeg': (width, height) => jpeg(width, height, 200_000),
  'image/gif': (width, height) => bytes('GIF89a', little(width, 2), little(height, 2), filling(9_000)),
  'image/webp': (width, height) => bytes('RIFF....WEBPVP8X....\0\0\0\0', little(width - 1, 3), little(height - 1, 3), filling(9_000)),
  'image/avif': (width, height) => bytes('\0\0\0\x20ftypavif', filling(200), '\0\0\0\x14ispe\0\0\0\0', big(width, 4), big(height, 4), filling(9_000)),
};

/** A PDF of so many pages, of which nothing is at its ends but the root of the page tree. */
export function pdf(pages, { atEnd = true, size = 300_000 } = {}) {
  const root = `<</Type/Pages/Kids[1 0 R]/Count ${pages}>>`;
  return atEnd ? bytes('%PDF-1.7\n', filling(size), root) : bytes('%PDF-1.7\n', root, filling(size));
}

/** Real files of 37 x 23 pixels, one color, written by sharp 0.34. */
export const real = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAACUAAAAXCAIAAAADThHyAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAANElEQVR4nGM4Y2xMT8Qwap/xaHieGU0vxqP54cxo+WI8Wn4aj9YPxqP1rfFoe+LMYGgvAQAKavlkZS7vWgAAAABJRU5ErkJggg==',
  gif: 'R0lGODlhJQAXAIAAAExpccwzMyH5BAUAAAAALAAAAAAlABcAAAIbjI+py+0Po5y02ouz3rz7D4biSJbmiabqyo4FADs=',
  jpeg: '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAXACUDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAMF/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AmAQawAAAAAAAAAD/2Q==',
  progressive: '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wgARCAAXACUDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAWAQEBAQAAAAAAAAAAAAAAAAAAAwT/2gAMAwEAAhADEAAAAZCesAAAAD//xAAUEAEAAAAAAAAAAAAAAAAAAAAw/9oACAEBAAEFAn//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAEDAQE/AV//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAECAQE/AV//xAAUEAEAAAAAAAAAAAAAAAAAAAAw/9oACAEBAAY/An//xAAUEAEAAAAAAAAAAAAAAAAAAAAw/9oACAEBAAE/IX//2gAMAwEAAgADAAAAEPvvvvvv/8QAFBEBAAAAAAAAAAAAAAAAAAAAIP/aAAgBAwEBPxBf/8QAFBEBAAAAAAAAAAAAAAAAAAAAIP/aAAgBAgEBPxBf/8QAFBABAAAAAAAAAAAAAAAAAAAAMP/aAAgBAQABPxB//9k=',
  lossy: 'UklGRkQAAABXRUJQVlA4IDgAAAAwAwCdASolABcAP3G202I0rqomJWgCkC4JZwDFyBJjp1QAAP7QynJ+l7+LuxHGXXqqebFnvkpwAA==',
  lossless: 'UklGRh4AAABXRUJQVlA4TBEAAAAvJIAFAAfQmTJ3pv+BiOh/AAA=',
  extended: 'UklGRmgAAABXRUJQVlA4WAoAAAAQAAAAJAAAFgAAQUxQSAoAAAABB1DAiAhERP8DVlA4IDgAAAAwAwCdASolABcAP3G202G0ryqmJWgCkC4JZwDPKA8KfTIAAP7mztxhNJOj/an5We788KmghR74AA==',
  avif: 'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAD6AAEAAAAAAAAAHAAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAACUAAAAXAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAAkbWRhdBIACgk4FSSzCAhoNIAyDR5AAABACz2CF41ydYY=',
};
