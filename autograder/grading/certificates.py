"""TLS certificates of a cluster, issued by its own certificate authority.

Scheduler, workers and client have a certificate each. The private key of the authority is never written to disk, so no
further certificate can be issued. A holder of one of the three keys can join the cluster. Copy the files to the
machines of the cluster only.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from autograder.course.files import write_bytes
from autograder.errors import CourseError
from autograder.program import program_name

AUTHORITY = "ca.pem"
ROLES = ("scheduler", "worker", "client")
VALID_DAYS = 400  # two terms
CLOCK_SKEW = timedelta(hours=1)  # between the machines of a cluster


def certificate_of(folder: Path, role: str) -> Path:
    """Return the path of a role's certificate."""
    return folder / f"{role}.pem"


def key_of(folder: Path, role: str) -> Path:
    """Return the path of a role's private key."""
    return folder / f"{role}.key"


def require_certificates(folder: Path, role: str) -> None:
    """Raise CourseError if the files of a role are missing."""
    for path in (folder / AUTHORITY, certificate_of(folder, role), key_of(folder, role)):
        if not path.is_file():
            raise CourseError(
                f"{path} is missing: "
                f"run `{program_name()} cluster certificates {folder}` once and copy the folder to every "
                "machine of the cluster"
            )


def make_certificates(folder: Path) -> None:
    """Write the certificates and keys of a new cluster."""
    if folder.exists() and any(folder.iterdir()):
        raise CourseError(f"{folder} is not empty: name a new folder, or remove it to make new certificates")
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    authority = _Authority()
    for role in ROLES:
        certificate, key = authority.issue(role)
        write_bytes(
            key_of(folder, role), key
        )  # the folder has mode 0o700, so only its owner can read the key
        write_bytes(certificate_of(folder, role), certificate)
    write_bytes(folder / AUTHORITY, authority.certificate)


class _Authority:
    """A certificate authority whose key exists in memory only."""

    def __init__(self) -> None:
        self._key = _new_key()
        self._x509_name = _x509_name("authority")
        builder = _certificate_builder(self._x509_name, self._x509_name, self._key)
        self.certificate = _to_pem(self._sign(builder, is_authority=True))

    def issue(self, role: str) -> tuple[bytes, bytes]:
        """Return a certificate and its private key, in PEM."""
        from cryptography.hazmat.primitives import serialization
        from cryptography.x509 import ExtendedKeyUsage
        from cryptography.x509.oid import ExtendedKeyUsageOID

        key = _new_key()
        # scheduler and workers accept and open connections; a client only opens them
        uses = [ExtendedKeyUsageOID.CLIENT_AUTH]
        if role != "client":
            uses.append(ExtendedKeyUsageOID.SERVER_AUTH)
        builder = _certificate_builder(_x509_name(role), self._x509_name, key).add_extension(
            ExtendedKeyUsage(uses), critical=False
        )
        private = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        return _to_pem(self._sign(builder, is_authority=False)), private

    def _sign(self, builder: Any, *, is_authority: bool) -> Any:
        from cryptography.hazmat.primitives import hashes
        from cryptography.x509 import BasicConstraints

        constraints = BasicConstraints(ca=is_authority, path_length=0 if is_authority else None)
        return builder.add_extension(constraints, critical=True).sign(self._key, hashes.SHA256())


def _new_key() -> Any:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _x509_name(role: str) -> Any:
    from cryptography.x509 import Name, NameAttribute
    from cryptography.x509.oid import NameOID

    return Name([NameAttribute(NameOID.COMMON_NAME, f"course cluster {role}")])


def _certificate_builder(subject: Any, issuer: Any, key: Any) -> Any:
    from cryptography.x509 import CertificateBuilder, random_serial_number

    now = datetime.now(UTC)
    return (
        CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(random_serial_number())
        .not_valid_before(now - CLOCK_SKEW)
        .not_valid_after(now + timedelta(days=VALID_DAYS))
    )


def _to_pem(certificate: Any) -> bytes:
    from cryptography.hazmat.primitives import serialization

    encoded: bytes = certificate.public_bytes(serialization.Encoding.PEM)
    return encoded
