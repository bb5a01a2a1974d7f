/** The mark of the page, as in public/favicon.svg. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="3" fill="#1f5fd0" />
      <path d="M2 3h12v3H2z" fill="#fff" />
      <path d="M2 7h8v3H2z" fill="#fff" opacity=".85" />
      <path d="M2 11h4v3H2z" fill="#ffc46b" />
    </svg>
  );
}
