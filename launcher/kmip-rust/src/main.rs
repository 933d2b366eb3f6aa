//! Uses a key manager as applications do that have the crate kmip-protocol.
//!
//!     kmip-rust HOST:PORT CA CERTIFICATE KEY   the last three are files; the server's name is localhost

use std::{env, error::Error, fs, net::TcpStream, process::ExitCode};

use kmip_protocol::client::{self, tls::rustls, ClientCertificate, ConnectionSettings};
use kmip_protocol::types::common::{
    CryptographicAlgorithm, CryptographicUsageMask, KeyMaterial, ObjectType, Operation,
};
use kmip_protocol::types::request::{Attribute, RequestPayload, TemplateAttribute};
use kmip_protocol::types::response::{ManagedObject, ResponsePayload};
use kmip_protocol::types::traits::ReadWrite;
use ring::signature::{UnparsedPublicKey, RSA_PKCS1_2048_8192_SHA256};

type Client<T> = client::Client<T>;
type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    let [_, address, authority, certificate, key] = &arguments[..] else {
        eprintln!("usage: kmip-rust HOST:PORT CA CERTIFICATE KEY");
        return ExitCode::from(2);
    };
    match session(address, authority, certificate, key) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn session(address: &str, authority: &str, certificate: &str, key: &str) -> Outcome<()> {
    let settings = ConnectionSettings {
        // The crate's TLS knows names, not addresses.
        host: "localhost".into(),
        ca_cert: Some(fs::read(authority)?),
        client_cert: Some(ClientCertificate::SeparatePem {
            cert_bytes: fs::read(certificate)?,
            key_bytes: Some(fs::read(key)?),
        }),
        ..Default::default()
    };
    let client =
        rustls::connect_with_tcpstream_factory(&settings, |_, _| Ok(TcpStream::connect(address)?))?;
    query(&client)?;
    aes(&client)?;
    sign(&client)?;
    println!("random bytes: {}", client.rng_retrieve(32)?.data.len());
    Ok(())
}

fn query<T: ReadWrite>(client: &Client<T>) -> Outcome<()> {
    let server = client.query()?;
    let operations = server.operations.unwrap_or_default();
    println!(
        "query: {}, signs {}, makes pairs {}",
        server.vendor_identification.unwrap_or_default(),
        operations.contains(&Operation::Sign),
        operations.contains(&Operation::CreateKeyPair)
    );
    Ok(())
}

fn aes<T: ReadWrite>(client: &Client<T>) -> Outcome<()> {
    let name = || Attribute::Name("by kmip-protocol".into());
    let create = RequestPayload::Create(
        ObjectType::SymmetricKey,
        TemplateAttribute::unnamed(vec![
            Attribute::CryptographicAlgorithm(CryptographicAlgorithm::AES),
            Attribute::CryptographicLength(256),
            Attribute::CryptographicUsageMask(CryptographicUsageMask::Encrypt),
            name(),
        ]),
    );
    let ResponsePayload::Create(created) = client.do_request(create)? else {
        return Err("no answer to Create".into());
    };
    let id = created.unique_identifier;
    let ManagedObject::SymmetricKey(key) = client.get_key(&id)?.cryptographic_object else {
        return Err("no symmetric key".into());
    };
    let bytes = material(key.key_block.key_value.key_material)?;
    let _ = client.rename_key(&id, "renamed by kmip-protocol".into())?;
    if !located(client, name())?.is_empty() {
        return Err("found under its former name".into());
    }
    if located(client, Attribute::Name("renamed by kmip-protocol".into()))? != [id.as_str()] {
        return Err("not located".into());
    }
    client.destroy_key(&id)?;
    match client.get_key(&id) {
        Err(error) if error.to_string().contains("destroyed") => {}
        other => return Err(format!("after it was destroyed: {other:?}").into()),
    }
    println!(
        "AES of {} bits: got, renamed, located, destroyed",
        8 * bytes.len()
    );
    Ok(())
}

fn located<T: ReadWrite>(client: &Client<T>, condition: Attribute) -> Outcome<Vec<String>> {
    match client.do_request(RequestPayload::Locate(vec![condition]))? {
        ResponsePayload::Locate(found) => Ok(found
            .unique_identifiers
            .into_iter()
            .map(|id| id.to_string())
            .collect()),
        _ => Err("no answer to Locate".into()),
    }
}

/// The HSM signs, and ring verifies with the public key that the server returns.
fn sign<T: ReadWrite>(client: &Client<T>) -> Outcome<()> {
    let (private, public) =
        client.create_rsa_key_pair(2048, "rust private".into(), "rust public".into())?;
    client.activate_key(&private)?;
    let signature = client.sign(&private, b"signed in the HSM")?.signature_data;
    let ManagedObject::PublicKey(key) = client.get_key(&public)?.cryptographic_object else {
        return Err("no public key".into());
    };
    UnparsedPublicKey::new(
        &RSA_PKCS1_2048_8192_SHA256,
        material(key.key_block.key_value.key_material)?,
    )
    .verify(b"signed in the HSM", &signature)
    .map_err(|_| "the signature is wrong")?;
    client.revoke_key(&private)?;
    client.destroy_key(&private)?;
    client.destroy_key(&public)?;
    println!("RSA-2048: signed, verified, destroyed");
    Ok(())
}

fn material(key: KeyMaterial) -> Outcome<Vec<u8>> {
    match key {
        KeyMaterial::Bytes(bytes) => Ok(bytes),
        other => Err(format!("not bytes: {other:?}").into()),
    }
}
