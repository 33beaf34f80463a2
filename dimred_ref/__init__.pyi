"""What type checkers see of the package: its functions, not its modules of the same names."""

from dimred_ref.classical_mds import classical_mds as classical_mds
from dimred_ref.classical_mds import n_components_for_share as n_components_for_share
from dimred_ref.conformal_eigenmaps import conformal_eigenmaps as conformal_eigenmaps
from dimred_ref.covariance import covariance as covariance
from dimred_ref.duality import dual_pca as dual_pca
from dimred_ref.graph import knn_graph as knn_graph
from dimred_ref.graph import largest_component as largest_component
from dimred_ref.graph import nearest_neighbors as nearest_neighbors
from dimred_ref.graph import shortest_paths as shortest_paths
from dimred_ref.isomap import dimension_by_gap as dimension_by_gap
from dimred_ref.isomap import isomap as isomap
from dimred_ref.isomap import landmark_isomap as landmark_isomap
from dimred_ref.kernel_pca import kernel_pca as kernel_pca
from dimred_ref.kernel_pca import linear_kernel as linear_kernel
from dimred_ref.kernel_pca import polynomial_kernel as polynomial_kernel
from dimred_ref.kernel_pca import rbf_kernel as rbf_kernel
from dimred_ref.kernel_pca import rbf_kernel_pca as rbf_kernel_pca
from dimred_ref.laplacian_eigenmaps import eigenmaps_of_graph as eigenmaps_of_graph
from dimred_ref.laplacian_eigenmaps import laplacian_eigenmaps as laplacian_eigenmaps
from dimred_ref.lle import lle as lle
from dimred_ref.mvu import landmark_mvu as landmark_mvu
from dimred_ref.mvu import mvu as mvu
from dimred_ref.out_of_core import covariance_of_blocks as covariance_of_blocks
from dimred_ref.out_of_core import nystrom_kernel_pca as nystrom_kernel_pca
from dimred_ref.out_of_core import pca_of_blocks as pca_of_blocks
from dimred_ref.pca import pca as pca
from dimred_ref.practice import n_components_for as n_components_for
from dimred_ref.practice import standardisation as standardisation
from dimred_ref.practice import standardised as standardised
from dimred_ref.procrustes import rigid_alignment as rigid_alignment
from dimred_ref.procrustes import similarity_alignment as similarity_alignment
from dimred_ref.quality import continuity as continuity
from dimred_ref.quality import procrustes_error as procrustes_error
from dimred_ref.quality import residual_variance as residual_variance
from dimred_ref.quality import trustworthiness as trustworthiness

__version__: str
